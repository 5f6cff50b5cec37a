import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database/open.ts';
import { addBook, removeBook } from './books.ts';
import { watchCatalogue } from './changes.ts';
import { firstPage, openShelf } from './shelf.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase({ engine: 'sqlite', file: ':memory:' });
});
afterEach(() => database.close());

test('a page that went out while the database could not answer is looked at again after a rest', async () => {
  const { db } = database;
  const { id } = await addBook(db, { title: 'Emma', author: 'A', image: '/x', priceCents: 1 }, null);
  let isLost = false;
  const losable = db.withPlugin({
    transformQuery({ node }) {
      if (isLost) throw Object.assign(new Error('the connection is gone'), { code: 'ECONNREFUSED' });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const changes = watchCatalogue(database);
  const shelf = openShelf(losable, changes);
  const count = async () => JSON.parse(String(await (await shelf.page(firstPage)).bytes('identity'))).length;
  expect(await count()).toBe(1);

  await removeBook(db, id, 'somebody');
  changes.changed();
  isLost = true;
  expect(await count()).toBe(1);
  isLost = false;

  await expect.poll(count, { timeout: 3_000 }).toBe(0);
});
