import { createHash } from 'node:crypto';
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { imageAddress } from '../../contract/image-address.ts';
import type { ImageWidth } from '../../contract/image-widths.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db, Tables } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';

type Rendition = { width: ImageWidth; bytes: Uint8Array };

/** `width` and `height` of the widest rendition, in pixels. `colour`: the one that most of it has, as #rrggbb. */
export type ConvertedImage = { width: number; height: number; renditions: Rendition[]; colour: string };

/** `uploadedBy`: the id of a customer. For an image without a colour, complete-images.ts finds it and makes the missing widths. */
export type Image = Omit<ConvertedImage, 'colour'> & { id: string; uploadedBy?: string; colour?: string };

/** @returns 32 hexadecimal digits of the SHA-256 of a rendition, or of a text that identifies the image. */
export const imageIdOf = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/** @returns the same id for the same pixels, although the files may differ, for example in their metadata. */
export const uploadIdOf = ({ renditions }: ConvertedImage): string =>
  imageIdOf(renditions.at(-1)?.bytes ?? '');

export async function storeUpload(db: Db, converted: ConvertedImage, uploadedBy: string): Promise<Image> {
  const image = { ...converted, id: uploadIdOf(converted), uploadedBy };
  await storeImage(db, image);
  return image;
}

/** Stores an image. If it is stored already, {@link sweepImages} spares it for another day. */
export async function storeImage(db: Db, image: Image): Promise<void> {
  if (!db.isTransaction) return await db.transaction().execute((db) => storeImage(db, image));
  const { id, width, height, renditions, uploadedBy, colour } = image;
  const upload = { created_at: Date.now(), uploaded_by: uploadedBy ?? null, ...(colour && { colour }) };
  await db
    .insertInto('images')
    .values({ id, width, height, ...upload })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(upload))
    .execute();
  await addRenditions(db, id, renditions);
}

export async function addRenditions(db: Db, id: string, renditions: readonly Rendition[]): Promise<void> {
  await db
    .insertInto('image_renditions')
    .values(renditions.map(({ width, bytes }) => ({ image_id: id, width, bytes })))
    .onConflict((conflict) => conflict.columns(['image_id', 'width']).doNothing())
    .execute();
}

/** @returns the file of this width, or of the next larger stored width. */
export const findRendition = (db: Db, id: string, width: ImageWidth) =>
  db
    .selectFrom('image_renditions')
    .select(['width', 'bytes'])
    .where('image_id', '=', id)
    .where('width', '>=', width)
    .orderBy('width')
    .limit(1)
    .executeTakeFirst();

/** Protects an image from {@link sweepImages} for another day, for a book that is about to use it. @returns whether it is stored. */
export const renewImage = async (db: Db, id: string, now = Date.now()): Promise<boolean> =>
  (await db
    .updateTable('images')
    .set({ created_at: now })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined;

const idPlaceholder = 'IMAGE_ID';

const imageAddressColumn = sql<string>`replace(${imageAddress(idPlaceholder)}, ${idPlaceholder}, images.id)`;

const minUnusedMs = 24 * 60 * 60 * 1000;

type Expressions = ExpressionBuilder<Tables, 'images'>;
const booksWith = ({ selectFrom }: Expressions) =>
  selectFrom('books').select('books.id').where('image', '=', imageAddressColumn);

/** A removed book still uses its image, because it can be restored. */
const isUnused = (eb: Expressions) => eb.not(eb.exists(booksWith(eb)));

/** The quota counts images of deleted books as unused: otherwise an account could store any number, by adding and deleting books. */
const isOnNoBook = (eb: Expressions) =>
  eb.not(eb.exists(booksWith(eb).where(sql<SqlBool>`(removed_at is null or sold_out_at is not null)`)));

export async function sweepImages(db: Db, now = Date.now()): Promise<void> {
  const before = now - minUnusedMs;
  await deleteInBatches(
    db
      .deleteFrom('images')
      // The condition is repeated here: a book that is about to use an image may have renewed it since the select.
      .where('created_at', '<', before)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('images')
          .select('id')
          .where('created_at', '<', before)
          .where(isUnused)
          .limit(sweepBatchSize),
      ),
  );
}

/** The most images without a book for sale that one customer may have: otherwise one account could fill the disk. */
const unusedImageQuota = 100;

/** @throws {Problem} IMAGE_QUOTA_REACHED, with the time until an image no longer counts. Uploads under way are not counted. */
export async function checkImageQuota(db: Db, customerId: string, now = Date.now()): Promise<void> {
  const { count, oldest } = await db
    .selectFrom('images')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('oldest')])
    .where('uploaded_by', '=', customerId)
    .where('created_at', '>=', now - minUnusedMs)
    .where(isOnNoBook)
    .executeTakeFirstOrThrow();
  if (Number(count) < unusedImageQuota) return;
  throw new Problem('IMAGE_QUOTA_REACHED', {
    detail: `This account has ${count} of them. Add books with them, or try again later: an image on no book is removed after a day.`,
    retryAfterS: Math.ceil((Number(oldest) + minUnusedMs - now) / 1000) + 1,
  });
}
