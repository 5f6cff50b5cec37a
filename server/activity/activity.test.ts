import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { emma, emmaSent, openTestStore, readJson, setUpTestStore } from '../testing/test-store.ts';
import { listActivity, recordActivity, sweepActivity } from './activity.ts';

const admin = { sub: 'ada', email: 'ada@example.com' };
const ada = { customerId: 'c1', email: admin.email, address: '192.0.2.1' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn(admin);
});

const trail = async () => (await listActivity(store.database.db, { limit: 100 })).entries;

test('the trail has who added, deleted and restored which book, when and from where, newest first', async () => {
  const before = new Date().toISOString();

  const added = await store.call(paths.addBook, { cookie, json: emmaSent });
  const { _id: id } = await readJson<Book>(added, 201);
  await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
  await store.call(paths.restoreBook(id), { method: 'POST', cookie });

  const entries = await trail();
  expect(entries.map(({ action }) => action)).toEqual(['book-restored', 'book-deleted', 'book-added']);
  for (const entry of entries) {
    expect(entry).toEqual({
      at: expect.any(String),
      action: expect.any(String),
      email: admin.email,
      customerId: expect.any(String),
      address: '127.0.0.1',
      bookId: id,
      bookTitle: 'Emma',
      token: null,
      subject: null,
      details: null,
    });
    expect(entry.at >= before).toBe(true);
  }
});

test('a deletion or restoration that changes nothing, and a refused change, leave no entry', async () => {
  const { id } = await addBook(store.database.db, emma, null);

  await store.call(paths.restoreBook(id), { method: 'POST', cookie });
  await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
  await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
  await store.call(paths.deleteBook(id), { method: 'DELETE' });
  await store.call(paths.deleteBook('no-such-id'), { method: 'DELETE', cookie });
  await store.call(paths.addBook, { cookie, json: { ...emmaSent, price: { value: 'ten' } } });

  expect((await trail()).map(({ action }) => action)).toEqual(['book-deleted']);
});

test('a change whose entry cannot be stored is not made', async () => {
  const { db } = store.database;
  const { id } = await addBook(db, emma, null);
  await db.schema.alterTable('activity').renameTo('activity_elsewhere').execute();
  onTestFinished(() => db.schema.alterTable('activity_elsewhere').renameTo('activity').execute());

  const responses = [
    await store.call(paths.addBook, { cookie, json: emmaSent }),
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

test('an entry has an IP address, also when a trusted proxy passes on something else', async () => {
  const other = await openTestStore({ settings: { trustedProxies: ['127.0.0.0/8'] } });
  const cookie = await other.signIn();
  for (const forwarded of ['198.51.100.1:5555', 'A'.repeat(500)])
    await other.call(paths.addBook, { cookie, headers: { 'x-forwarded-for': forwarded }, json: emmaSent });

  const { entries } = await listActivity(other.database.db, { limit: 2 });

  expect(entries).toMatchObject([{ address: '127.0.0.1' }, { address: '198.51.100.1' }]);
});

describe('GET /desk/api/activity', () => {
  const list = async (query: string) => {
    const response = await store.call(`/desk/api/activity${query}`, { cookie });
    const link = response.headers.get('link')?.match(/<\/desk\/api\/activity([^>]*)>/)?.[1];
    return { body: await readJson<ActivityEntry[]>(response, 200), link };
  };

  test('filters by action, person and day, and gives the rest page by page', async () => {
    const { db } = store.database;
    const script = { customerId: null, email: null, token: 'import', address: '192.0.2.7' };
    const [one, two, three] = ['One', 'Two', 'Three'].map((title) => ({ book: { id: title, title } }));
    await recordActivity(db, 'book-added', ada, one);
    await recordActivity(db, 'book-added', script, two);
    await recordActivity(db, 'book-added', ada, three);
    await recordActivity(db, 'orders-marked', script, { subject: 'o1', details: { isSent: true } });
    const today = new Date().toISOString().slice(0, 10);
    const titles = (body: ActivityEntry[]) => body.map(({ bookTitle }) => bookTitle);

    const first = await list('?action=book-added&limit=2');
    expect(titles(first.body)).toEqual(['Three', 'Two']);
    const second = await list(first.link ?? '');
    expect([titles(second.body), second.link]).toEqual([['One'], undefined]);
    expect(titles((await list('?who=ADA@example.com&action=book-added')).body)).toEqual(['Three', 'One']);
    expect(titles((await list('?who=a@EXAMPLE&action=book-added')).body)).toEqual(['Three', 'One']);
    expect((await list('?who=%25')).body).toEqual([]);
    expect((await list('?who=impor')).body).toMatchObject([
      { action: 'orders-marked', subject: 'o1', details: { isSent: true }, token: 'import', email: null },
      { action: 'book-added', bookTitle: 'Two', details: null },
    ]);
    expect(titles((await list(`?from=${today}&to=${today}&limit=1`)).body)).toHaveLength(1);
    expect((await list('?to=2020-01-01')).body).toEqual([]);
  });
});

test('the desk without ADMIN_EMAILS is for everybody in demo mode, and else for nobody', async () => {
  for (const isDemo of [true, false]) {
    const shop = await openTestStore({ settings: { isDemo } });
    const { status } = await shop.call('/desk/api/activity', { cookie: await shop.signIn() });
    expect([isDemo, status]).toEqual([isDemo, isDemo ? 200 : 403]);
  }
});
