import { createHash } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { imageAddress } from '../../contract/image-address.ts';
import type { ImageWidth } from '../../contract/image-widths.ts';
import { isNotDeleted } from '../catalogue/book-columns.ts';
import { sweepBatchSize } from '../database/sweep.ts';
import type { Db, Tables } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ConvertedImage } from './renditions.ts';

/** `width` and `height` of the widest rendition in pixels, `size` of its file in bytes. */
export type StoredImage = { id: string; width: number; height: number; size: number };

/**
 * @param content a rendition, or a text that identifies the image.
 * @returns 32 hexadecimal digits of its SHA-256.
 */
export const imageIdOf = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/** A converted image with the id that it is stored under, and the id of the customer who uploaded it. */
export type Image = ConvertedImage & { id: string; uploadedBy?: string };

/**
 * Stores an uploaded image under an id of its widest rendition. The same picture is the same image, although the file may
 * differ, in its metadata for instance. Uploaded again, it counts for the last customer who did, and its day before
 * {@link sweepImages} begins anew.
 */
export async function storeUpload(db: Db, image: ConvertedImage, uploadedBy: string): Promise<StoredImage> {
  return await storeImage(db, { ...image, id: uploadIdOf(image), uploadedBy });
}

/** @returns the id under which {@link storeUpload} stores an image. */
export const uploadIdOf = ({ renditions }: ConvertedImage): string =>
  imageIdOf(renditions.at(-1)?.bytes ?? '');

/** Stores an image with its renditions, as {@link addImage} does, in a transaction. */
export async function storeImage(db: Db, image: Image): Promise<StoredImage> {
  await db.transaction().execute((db) => addImage(db, image));
  const { id, width, height, renditions } = image;
  return { id, width, height, size: renditions.at(-1)?.bytes.length ?? 0 };
}

/**
 * Stores an image with its renditions, as a step of a transaction. For an id that is stored already, only the day before
 * {@link sweepImages} begins anew, and `uploadedBy` is replaced.
 * @param db the transaction: without one a crash could leave an image without its renditions.
 */
export async function addImage(
  db: Db,
  { id, width, height, renditions, uploadedBy, colour }: Image,
): Promise<void> {
  const upload = { created_at: Date.now(), uploaded_by: uploadedBy ?? null, ...(colour && { colour }) };
  await db
    .insertInto('images')
    .values({ id, width, height, ...upload })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(upload))
    .execute();
  await addRenditions(db, id, renditions);
}

/** Stores the widths that an image lacks, as a step of a transaction. */
export async function addRenditions(db: Db, id: string, renditions: Image['renditions']): Promise<void> {
  await db
    .insertInto('image_renditions')
    .values(renditions.map(({ width, bytes }) => ({ image_id: id, width, bytes })))
    .onConflict((conflict) => conflict.columns(['image_id', 'width']).doNothing())
    .execute();
}

/** @returns the WebP file at this width; undefined when it is not stored. */
export async function findRendition(db: Db, id: string, width: ImageWidth): Promise<Uint8Array | undefined> {
  const found = await db
    .selectFrom('image_renditions')
    .select('bytes')
    .where('image_id', '=', id)
    .where('width', '=', width)
    .executeTakeFirst();
  return found?.bytes;
}

/** @returns the WebP file at the next larger width that is stored. */
export async function findLargerRendition(
  db: Db,
  id: string,
  width: ImageWidth,
): Promise<Uint8Array | undefined> {
  const found = await db
    .selectFrom('image_renditions')
    .select('bytes')
    .where('image_id', '=', id)
    .where('width', '>', width)
    .orderBy('width')
    .limit(1)
    .executeTakeFirst();
  return found?.bytes;
}

/**
 * Protects an image from {@link sweepImages} for another day, for a book that is about to use it. Check and update are one
 * statement: otherwise a sweep could remove the image between them.
 * @param now in milliseconds since 1970, as for `Date.now()`.
 * @returns whether the image is stored.
 */
export const renewImage = async (db: Db, id: string, now = Date.now()): Promise<boolean> =>
  (await db
    .updateTable('images')
    .set({ created_at: now })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined;

const idPlaceholder = 'IMAGE_ID';

/** In SQL, the address of an image of the table `images`, as {@link imageAddress} writes it. */
export const imageAddressColumn = sql<string>`replace(${imageAddress(idPlaceholder)}, ${idPlaceholder}, images.id)`;

const minUnusedMs = 24 * 60 * 60 * 1000;

/** @returns true if no book uses an image. A removed book still uses its image, because it can be restored. */
const isUnused = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'images'>) =>
  not(exists(selectFrom('books').select('books.id').where('image', '=', imageAddressColumn)));

/**
 * Removes images that were uploaded or renewed more than a day ago and that no book uses.
 * @param now in milliseconds since 1970.
 */
export async function sweepImages(db: Db, now = Date.now()): Promise<void> {
  // Most images are old and on a book: one statement would look each of them up.
  let after = '';
  for (;;) {
    const page = await db
      .selectFrom('images')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(sweepBatchSize)
      .execute();
    const last = page.at(-1)?.id;
    if (last === undefined) return;
    await db
      .deleteFrom('images')
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('created_at', '<', now - minUnusedMs)
      .where(isUnused)
      .execute();
    after = last;
  }
}

/**
 * @returns true if no book on the shelf or sold out has an image. For the quota a deleted book counts as none: by adding and
 * deleting books an account could otherwise store any number of images.
 */
const isOnNoBook = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'images'>) =>
  not(
    exists(
      selectFrom('books').select('books.id').where('image', '=', imageAddressColumn).where(isNotDeleted),
    ),
  );

/**
 * Images on no book for sale that one customer may have, and all customers together. Above that sum a customer may still
 * upload as many as `fairShare`: otherwise ten accounts could keep all others from uploading.
 */
const unusedImageQuota = { own: 100, all: 1_000, fairShare: 20 } as const;

/**
 * Checks that a customer may upload an image. Uploads that are under way are not counted, so the quota can be exceeded by as
 * many as may be under way at a time.
 * @param now in milliseconds since 1970.
 * @throws {Problem} IMAGE_QUOTA_REACHED, with the time until an image stops to count: a day after its upload.
 */
export async function checkImageQuota(db: Db, customerId: string, now = Date.now()): Promise<void> {
  const { fn } = db;
  const counts = await db
    .selectFrom('images')
    .select([
      fn.countAll().as('all'),
      fn.countAll().filterWhere('uploaded_by', '=', customerId).as('own'),
      fn.min('created_at').as('oldest'),
      fn.min('created_at').filterWhere('uploaded_by', '=', customerId).as('oldestOwn'),
    ])
    .where('created_at', '>=', now - minUnusedMs)
    .where(isOnNoBook)
    .executeTakeFirstOrThrow();
  const [own, all] = [Number(counts.own), Number(counts.all)];
  const isOwn = own >= unusedImageQuota.own;
  if (!isOwn && (all < unusedImageQuota.all || own < unusedImageQuota.fairShare)) return;
  const oldest = Number(isOwn ? counts.oldestOwn : counts.oldest);
  throw new Problem('IMAGE_QUOTA_REACHED', {
    detail: `${isOwn ? `This account has ${own}` : `The store has ${all}, and this account ${own}`} of them. Add books with them, or try again later: an image on no book is removed after a day.`,
    retryAfterS: Math.ceil((oldest + minUnusedMs - now) / 1000) + 1,
  });
}
