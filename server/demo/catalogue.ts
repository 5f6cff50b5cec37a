/** The demo catalogue: books and covers for an empty database, while no identity provider is set. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageAddress } from '../../contract/image-address.ts';
import { fullImageWidth } from '../../contract/image-widths.ts';
import { countedColumns } from '../catalogue/book-columns.ts';
import { addBook, hasAnyBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { addImage, type Image, imageAddressColumn, imageIdOf } from '../images/images.ts';
import { countWords } from '../search/words.ts';
import { type DemoBook, demoBooks, demoTable } from './books.ts';

/** In pixels. */
const coverSize = { width: fullImageWidth, height: 1.5 * fullImageWidth };

/** Artwork, drawn once for the demo, in the full width. The image worker makes the other widths. */
export const coversFolder = join(import.meta.dirname, 'covers');

/** @returns the path of the WebP file with a demo book's cover. */
export const coverFile = ({ cover }: DemoBook): string => join(coversFolder, `${cover}.webp`);

/**
 * Fills an empty database with the demo books and their covers, all or none. In any other database it only adds the
 * covers that demo books lack: earlier versions drew covers one by one, and may have stopped before the last one.
 * @throws the database's error, or the file system's if a cover cannot be read.
 */
export async function fillCatalogue(db: Db): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await hasAnyBook(db))) await addDemoBooks(db);
    await addKeywords(db);
    for (const book of await listBooksWithoutCover(db)) await addImage(db, await readCover(book));
  });
}

async function addDemoBooks(db: Db): Promise<void> {
  // The store lists the newest book first, and this list is in the order in which visitors see it.
  for (const book of demoBooks.toReversed()) {
    const { cover: _, ...details } = book;
    await addBook(db, { ...details, image: coverAddress(book) }, null);
  }
  const { covers, ...words } = demoTable;
  await db.updateTable('front_table').set(words).execute();
  for (const [place, cover] of covers.entries()) {
    const books = demoBooks.filter((book) => book.cover === cover).map(coverAddress);
    await db
      .updateTable('books')
      .set({ front_table_at: Date.now() + place })
      .where('image', 'in', books)
      .execute();
  }
}

/** Gives demo books that an older version added their keywords, before they are indexed. */
async function addKeywords(db: Db): Promise<void> {
  const unindexed = db.selectFrom('books').select('id').where('is_indexed', 'is', null).limit(1);
  if (!(await unindexed.executeTakeFirst())) return;
  for (const book of demoBooks) {
    await db
      .updateTable('books')
      .set({ keywords: book.keywords })
      .where('image', '=', coverAddress(book))
      .where('added_by', 'is', null)
      .where('is_indexed', 'is', null)
      .where('keywords', 'is', null)
      .execute();
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
  const renditions = [{ width: fullImageWidth, bytes: await readFile(coverFile(book)) }];
  return { id: coverId(book), ...coverSize, renditions };
}

const coverId = ({ title, author }: DemoBook): string => imageIdOf(`cover of ${title} by ${author}`);
const coverAddress = (book: DemoBook): string => imageAddress(coverId(book));

/**
 * Removes the demo books and the words of their table from a store that ran in demo mode before: the books with the address of a demo
 * cover and without an admin in `added_by`. Their rows stay in the table, as for every removed book.
 * @returns the number of books that were removed.
 */
export async function removeDemoBooks(db: Db): Promise<number> {
  return await db.transaction().execute(async (db) => {
    const removed = await db
      .updateTable('books')
      .set({ removed_at: Date.now() })
      .where('image', 'in', demoBooks.map(coverAddress))
      .where('added_by', 'is', null)
      .where('removed_at', 'is', null)
      .returning(countedColumns)
      .execute();
    await countWords(db, { leave: removed.filter(({ is_indexed }) => is_indexed) });
    // The words of the demo, unless the owner has written others.
    await db
      .updateTable('front_table')
      .set({ heading: '', words: '' })
      .where('heading', '=', demoTable.heading)
      .where('words', '=', demoTable.words)
      .execute();
    return removed.length;
  });
}
