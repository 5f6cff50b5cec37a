import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type ImageWidth, imageAddress } from '../../contract/image-address.ts';
import type { Db } from '../database/tables.ts';
import type { ConvertedImage } from './renditions.ts';

export type StoredImage = { id: string; width: number; height: number; size: number };

/** An image is known by its content: the same file again is the same image. */
export const imageIdOf = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/** Keeps an image under its id; one that is there already is kept anew from now. */
export async function storeImage(
  db: Db,
  id: string,
  { width, height, renditions }: ConvertedImage,
): Promise<StoredImage> {
  await db.transaction().execute(async (db) => {
    const now = Date.now();
    // What nobody uses is swept a day after it was last uploaded.
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
  });
  return { id, width, height, size: renditions.at(-1)?.bytes.length ?? 0 };
}

/** @returns WebP bytes. */
export async function findRendition(db: Db, id: string, width: ImageWidth): Promise<Uint8Array | undefined> {
  const found = await db
    .selectFrom('image_renditions')
    .select('bytes')
    .where('image_id', '=', id)
    .where('width', '=', width)
    .executeTakeFirst();
  return found?.bytes;
}

export const hasImage = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/**
 * Keeps an image anew from now, for a book that is about to use it: in one statement, so that no sweep takes it between
 * the look and the use.
 * @returns whether it is there.
 */
export const renewImage = async (db: Db, id: string, now = Date.now()): Promise<boolean> =>
  (await db
    .updateTable('images')
    .set({ created_at: now })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined;

const unusedForMs = 24 * 60 * 60 * 1000;

/** Removes what was uploaded more than a day ago and is on no book, removed books included. */
export async function sweepImages(db: Db, now = Date.now()): Promise<void> {
  const placeholder = 'IMAGE_ID';
  const address = sql<string>`replace(${imageAddress(placeholder)}, ${placeholder}, images.id)`;
  await db
    .deleteFrom('images')
    .where('created_at', '<', now - unusedForMs)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('books').select('books.id').where('image', '=', address))),
    )
    .execute();
}
