import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imageAddress, imageIdIn, imageWidths } from '../../contract/image-address.ts';
import { addBook } from '../catalogue/books.ts';
import { type Database, openDatabase } from '../database/open.ts';
import { findRendition, imageIdOf } from '../images/images.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { demoBooks } from './books.ts';
import { coverFile, fillEmptyShelf } from './catalogue.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.settings);
});
afterEach(async () => {
  await database.close();
  await testDatabase.remove();
});

const listShelf = () =>
  database.db.selectFrom('books').select(['title', 'image']).orderBy('seq', 'desc').execute();

/** The demo books that do not have their own files' bytes at every width. */
async function listFaultyCovers(): Promise<string[]> {
  const faulty = new Set<string>();
  const images = new Map((await listShelf()).map(({ title, image }) => [title, image]));
  for (const book of demoBooks) {
    const id = imageIdIn(images.get(book.title) ?? '') ?? '';
    for (const width of imageWidths) {
      const bytes = await findRendition(database.db, id, width);
      if (!bytes || !(await readFile(coverFile(book, width))).equals(bytes)) faulty.add(book.title);
    }
  }
  return [...faulty];
}

test('an empty database gets every demo book, newest first, with its cover at every width', async () => {
  await fillEmptyShelf(database.db);

  expect(await listShelf()).toEqual(
    demoBooks.map(({ title, author }) => ({
      title,
      // Databases of earlier versions know the demo books by these addresses.
      image: imageAddress(imageIdOf(`cover of ${title} by ${author}`)),
    })),
  );
  expect(await listFaultyCovers()).toEqual([]);
});

test('a fill that fails leaves no book behind', async () => {
  await database.db.schema.dropTable('image_renditions').execute();

  await expect(fillEmptyShelf(database.db)).rejects.toThrow();

  expect(await listShelf()).toEqual([]);
});

test('a database in which some covers were never drawn gets these, and keeps its others', async () => {
  const { db } = database;
  await fillEmptyShelf(db);
  const [kept, ...drawnLater] = (await listShelf()).slice(0, 8).map(({ image }) => imageIdIn(image) ?? '');
  await db.deleteFrom('image_renditions').where('image_id', 'in', drawnLater).execute();
  await db.deleteFrom('images').where('id', 'in', drawnLater).execute();
  const earlier = Buffer.from('as an earlier version drew it');
  await db
    .updateTable('image_renditions')
    .set({ bytes: earlier })
    .where('image_id', '=', kept ?? '')
    .execute();

  await fillEmptyShelf(db);

  expect(await listFaultyCovers()).toEqual([demoBooks[0]?.title]);
  expect(await listShelf()).toHaveLength(demoBooks.length);
});

test('a database with books of its own gets neither demo books nor covers', async () => {
  const { db } = database;
  const own = {
    title: 'Emma',
    author: 'Jane Austen',
    image: 'https://covers.example/emma.jpg',
    priceCents: 1,
  };
  await addBook(db, own, null);

  await fillEmptyShelf(db);

  expect(await listShelf()).toEqual([{ title: own.title, image: own.image }]);
  expect(await db.selectFrom('images').select('id').execute()).toEqual([]);
});
