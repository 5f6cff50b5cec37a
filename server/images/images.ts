import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { imageAddress } from '../../contract/image-address.ts';
import type { ImageWidth } from '../../contract/image-widths.ts';
import type { Db } from '../database/tables.ts';
import type { ConvertedImage } from './renditions.ts';

/** `width` and `height` of the widest rendition in pixels, `size` of its file in bytes. */
export type StoredImage = { id: string; width: number; height: number; size: number };

/**
 * @param content the uploaded file, or a text that identifies the image.
 * @returns 32 hexadecimal digits of its SHA-256: the same file uploaded again is the same image.
 */
export const imageIdOf = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/** A converted image with the id that it is stored under. */
export type Image = ConvertedImage & { id: string };

/**
 * Stores a converted image. For an id that is stored already, only the day before {@link sweepImages} begins anew.
 * @returns width and height in pixels, and the size of the widest rendition in bytes.
 */
export async function storeImage(db: Db, id: string, image: ConvertedImage): Promise<StoredImage> {
  await db.transaction().execute((db) => addImage(db, { ...image, id }));
  const { width, height, renditions } = image;
  return { id, width, height, size: renditions.at(-1)?.bytes.length ?? 0 };
}

/**
 * Stores an image with its renditions, as {@link storeImage} does, as a step of a transaction.
 * @param db the transaction: without one a crash could leave an image without its renditions.
 */
export async function addImage(db: Db, { id, width, height, renditions }: Image): Promise<void> {
  const now = Date.now();
  await db
    .insertInto('images')
    .values({ id, width, height, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ created_at: now }))
    .execute();
  await db
    .insertInto('image_renditions')
    .values(renditions.map(({ width, bytes }) => ({ image_id: id, width, bytes })))
    .onConflict((conflict) => conflict.columns(['image_id', 'width']).doNothing())
    .execute();
}

/** @returns the WebP file at this width; undefined for an id that is not stored. */
export async function findRendition(db: Db, id: string, width: ImageWidth): Promise<Uint8Array | undefined> {
  const found = await db
    .selectFrom('image_renditions')
    .select('bytes')
    .where('image_id', '=', id)
    .where('width', '=', width)
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

/**
 * Removes images that were uploaded or renewed more than a day ago and that no book uses. A removed book still uses its
 * image, because it can be restored.
 * @param now in milliseconds since 1970.
 */
export async function sweepImages(db: Db, now = Date.now()): Promise<void> {
  await db
    .deleteFrom('images')
    .where('created_at', '<', now - minUnusedMs)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('books').select('books.id').where('image', '=', imageAddressColumn))),
    )
    .execute();
}
