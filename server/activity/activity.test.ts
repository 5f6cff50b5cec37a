import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { openTestStore, readJson, type TestStore } from '../testing/test-store.ts';
import { listActivity, recordActivity, sweepActivity } from './activity.ts';

const ada = { customerId: 'c1', email: 'ada@example.com', address: '192.0.2.1' };
const emma = {
  title: 'Emma',
  author: 'Jane Austen',
  image: 'https://covers.example/e.jpg',
  priceCents: 1299,
};

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

const trail = () => listActivity(store.database.db, { limit: 100 });

test('the trail has who added, deleted and restored which book, when and from where, newest first', async () => {
  const cookie = await store.signIn();
  const before = new Date().toISOString();

  const added = await store.call(paths.addBook, { cookie, json: { ...emma, price: { value: 12.99 } } });
  const { _id: id } = await readJson<Book>(added, 201);
  await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
  await store.call(paths.restoreBook(id), { method: 'POST', cookie });

  const entries = await trail();
  expect(entries.map(({ action }) => action)).toEqual(['book-restored', 'book-deleted', 'book-added']);
  for (const entry of entries) {
    expect(entry).toEqual({
      at: expect.any(String),
      action: expect.any(String),
      email: 'reader@example.com',
      customerId: expect.any(String),
      address: '127.0.0.1',
      bookId: id,
      bookTitle: 'Emma',
    });
    expect(entry.at >= before).toBe(true);
  }
});

test('a deletion or restoration that changes nothing, and a refused change, leave no entry', async () => {
  const cookie = await store.signIn();
  const { id } = await addBook(store.database.db, emma, null);

  await store.call(paths.restoreBook(id), { method: 'POST', cookie });
  await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
  await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
  await store.call(paths.deleteBook(id), { method: 'DELETE' });
  await store.call(paths.deleteBook('no-such-id'), { method: 'DELETE', cookie });
  await store.call(paths.addBook, { cookie, json: { ...emma, price: { value: 'ten' } } });

  expect((await trail()).map(({ action }) => action)).toEqual(['book-deleted']);
});

test('a change whose entry cannot be stored is not made', async () => {
  const { db } = store.database;
  const cookie = await store.signIn();
  const { id } = await addBook(db, emma, null);
  await db.schema.alterTable('activity').renameTo('activity_elsewhere').execute();

  const responses = [
    await store.call(paths.addBook, { cookie, json: { ...emma, price: { value: 1 } } }),
    await store.call(paths.deleteBook(id), { method: 'DELETE', cookie }),
  ];

  expect(responses.map(({ status }) => status)).toEqual([500, 500]);
  const books = await db.selectFrom('books').select(['id', 'removed_at']).execute();
  expect(books).toEqual([{ id, removed_at: null }]);
});

test('an entry is kept for 400 days', async () => {
  const { db } = store.database;
  const day = 24 * 60 * 60 * 1000;
  await recordActivity(db, 'admin-signed-in', ada);

  await sweepActivity(db, Date.now() + 399 * day);
  expect(await trail()).toHaveLength(1);
  await sweepActivity(db, Date.now() + 401 * day);
  expect(await trail()).toEqual([]);
});

test('the list begins at a time, and has at most the requested number of entries', async () => {
  const { db } = store.database;
  for (const title of ['One', 'Two', 'Three']) {
    await recordActivity(db, 'book-added', ada, { id: title, title });
  }

  const newest = await listActivity(db, { limit: 2 });

  expect(newest.map(({ bookTitle }) => bookTitle)).toEqual(['Three', 'Two']);
  expect(await listActivity(db, { limit: 10, since: Date.now() + 1 })).toEqual([]);
});

test.each([
  ['198.51.100.1:5555', '198.51.100.1'],
  ['A'.repeat(500), '127.0.0.1'],
])('an entry has an IP address, also when a trusted proxy passes on %.20s', async (forwarded, address) => {
  const other = await openTestStore({ settings: { trustedProxies: ['127.0.0.0/8'] } });
  const cookie = await other.signIn();

  const headers = { 'x-forwarded-for': forwarded };
  await other.call(paths.addBook, { cookie, headers, json: { ...emma, price: { value: 1 } } });
  const entries = await listActivity(other.database.db, { limit: 1 });
  await other.close();

  expect(entries).toMatchObject([{ address }]);
});
