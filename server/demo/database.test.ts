import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { imageAddress, imageIdIn } from '../../contract/image-address.ts';
import { fullImageWidth } from '../../contract/image-widths.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { findFrontTable } from '../front-table/front-table.ts';
import { findRendition, imageIdOf } from '../images/images.ts';
import { changePage, listPages } from '../shop-pages/shop-pages.ts';
import { setUpTestDatabase } from '../testing/test-database.ts';
import { emma } from '../testing/test-store.ts';
import { demoBooks } from './books.ts';
import { coverFile, fillCatalogue, removeDemoBooks } from './catalogue.ts';

const testDatabase = setUpTestDatabase();
let database: Database;
beforeEach(async () => {
  database = await testDatabase.open();
});

const listBooks = () =>
  database.db.selectFrom('books').select(['title', 'image']).orderBy('seq', 'desc').execute();

/** @returns the titles of the demo books whose stored cover differs from its file. */
async function listWrongCovers(): Promise<string[]> {
  const images = new Map((await listBooks()).map(({ title, image }) => [title, imageIdIn(image) ?? '']));
  const titles: string[] = [];
  for (const book of demoBooks) {
    const cover = await findRendition(database.db, images.get(book.title) ?? '', fullImageWidth);
    if (!cover || !(await readFile(coverFile(book))).equals(cover.bytes)) titles.push(book.title);
  }
  return titles;
}

test('an empty database gets every demo book, newest first, with its cover, and example pages; they go when the demo ends, but not what an owner wrote', async () => {
  await fillCatalogue(database.db);

  expect(await listBooks()).toEqual(
    demoBooks.map(({ title, author }) => ({
      title,
      // Databases of earlier versions have the same image addresses.
      image: imageAddress(imageIdOf(`cover of ${title} by ${author}`)),
    })),
  );
  expect(await listWrongCovers()).toEqual([]);
  expect(await findFrontTable(database.db)).toMatchObject({
    heading: 'Books that begin at sea',
    books: ['Moby-Dick; or, The Whale', 'Ὀδύσσεια', 'Dracula', 'Os Lusíadas'].map((title) => ({ title })),
  });
  const slugs = async () => (await listPages(database.db)).map(({ slug }) => slug);
  expect(await slugs()).toEqual(['about', 'delivery', 'imprint', 'privacy', 'terms']);
  await changePage(database.db, 'terms', { markdown: '# Our terms' }, commandActor);

  await removeDemoBooks(database.db);

  expect(await slugs()).toEqual(['terms']);
  expect(await findFrontTable(database.db)).toEqual({ heading: '', words: '', books: [] });
  const words = await database.db.selectFrom('words').select('word').where('books', '>', 0).execute();
  expect(words).toEqual([]);
});

test('a database with other books gets neither demo books nor covers', async () => {
  const { db } = database;
  await addBook(db, emma, null);

  await fillCatalogue(db);

  expect(await listBooks()).toEqual([{ title: emma.title, image: emma.image }]);
  expect(await db.selectFrom('images').select('id').execute()).toEqual([]);
});
