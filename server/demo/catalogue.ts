/** The demo catalogue: the books and covers that an empty store shows while it has no provider of its own. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImageWidth, imageAddress, imageWidths } from '../../contract/image-address.ts';
import { addBook, hasAnyBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { addImage, type Image, imageAddressColumn, imageIdOf } from '../images/images.ts';
import { type DemoBook, demoBooks } from './books.ts';

/** Pixels of a cover at its full width. Every cover is two by three. */
const coverSize = { width: 960, height: 1440 };

/** Written by `npm run covers`. */
export const coversFolder = join(import.meta.dirname, 'covers');

/** @returns the path of the WebP file that holds a demo book's cover at this width in pixels. */
export const coverFile = ({ cover }: DemoBook, width: ImageWidth): string =>
  join(coversFolder, `${cover}-${width}.webp`);

/**
 * Fills an empty database with the demo books and their covers, all or none. In any other database it adds the covers
 * that its demo books lack: earlier versions drew covers one by one, and may have been stopped before the last.
 * @throws what the database throws, and what reading a cover's file throws.
 */
export async function fillEmptyShelf(db: Db): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await hasAnyBook(db))) await addDemoBooks(db);
    for (const book of await listBooksWithoutCover(db)) await addImage(db, await readCover(book));
  });
}

async function addDemoBooks(db: Db): Promise<void> {
  // The shelf shows the newest first, and the list is written in the order in which it should be seen.
  for (const book of demoBooks.toReversed()) {
    await addBook(db, { ...book, image: coverAddress(book) }, null);
  }
}

async function listBooksWithoutCover(db: Db): Promise<DemoBook[]> {
  const rows = await db
    .selectFrom('books')
    .select('image')
    .where('image', 'in', demoBooks.map(coverAddress))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('images').select('images.id').where('books.image', '=', imageAddressColumn))),
    )
    .execute();
  const addresses = new Set(rows.map(({ image }) => image));
  return demoBooks.filter((book) => addresses.has(coverAddress(book)));
}

async function readCover(book: DemoBook): Promise<Image> {
  const renditions = imageWidths.map(async (width) => ({
    width,
    bytes: await readFile(coverFile(book, width)),
  }));
  return { id: coverId(book), ...coverSize, renditions: await Promise.all(renditions) };
}

const coverId = ({ title, author }: DemoBook): string => imageIdOf(`cover of ${title} by ${author}`);
const coverAddress = (book: DemoBook): string => imageAddress(coverId(book));

/**
 * Takes the demo books off the shelf of a shop that was tried out in demo mode first. They are known by their covers'
 * addresses and by having been added by nobody. Their rows stay, as those of all removed books do.
 * @returns how many were taken off.
 */
export async function removeDemoBooks(db: Db): Promise<number> {
  const removed = await db
    .updateTable('books')
    .set({ removed_at: Date.now() })
    .where('image', 'in', demoBooks.map(coverAddress))
    .where('added_by', 'is', null)
    .where('removed_at', 'is', null)
    .returning('id')
    .execute();
  return removed.length;
}
