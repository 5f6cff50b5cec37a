/** Changes of the catalogue at the same time. */

import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { plansOf } from '../testing/plans.ts';
import { emma, readJson as read, reader, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { deleteBook } from './delete-book.ts';
import { newestBooks } from './newest-books.ts';

const store = setUpTestStore({ settings: { adminEmails: [reader.email] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});

const add = (title: string, details = {}) => addBook(store.database.db, { ...emma, title, ...details }, null);
const edit = (id: string, json: unknown, ifMatch: string) =>
  store.call(paths.book(id), { method: 'PATCH', cookie, json, headers: { 'if-match': ifMatch } });
const statusesOf = (responses: readonly Response[]) => responses.map(({ status }) => status).toSorted();

test('of two editors with one version, one gets 412 and the other is not overwritten', async () => {
  const { id } = await add('Emma');
  const etag = (await store.call(paths.book(id))).headers.get('etag') ?? '';

  const responses = await Promise.all([
    edit(id, { title: 'Emma I' }, etag),
    edit(id, { title: 'Emma II', price: { value: 1 } }, etag),
  ]);

  expect(statusesOf(responses)).toEqual([200, 412]);
  const [saved, refused] = responses[0].ok ? responses : responses.toReversed();
  expect(await refused?.json()).toMatchObject({ code: 'BOOK_CHANGED' });
  expect(await read(await store.call(paths.book(id)))).toMatchObject((await saved?.json()) as object);
  expect((await listActivity(store.database.db, { limit: 10 })).entries).toHaveLength(1);
});

test('many editors who take whichever version is there are all served, one after the other', async () => {
  const { id } = await add('Emma');
  const prices = Array.from({ length: 8 }, (_, index) => index + 1);

  const responses = await Promise.all(prices.map((value) => edit(id, { price: { value } }, '*')));

  expect(statusesOf(responses)).toEqual(prices.map(() => 200));
  const { version } = await store.database.db.selectFrom('books').select('version').executeTakeFirstOrThrow();
  expect(version).toBe(9);
});

test('two changes by a number at once count twice, and none takes a copy that is not there', async () => {
  const { id } = await add('Emma', { copies: 5 });
  const change = (by: number) => store.call(`/desk/api/books/${id}/copies`, { cookie, json: { by } });

  expect(statusesOf(await Promise.all([-1, -1, 1, -1].map(change)))).toEqual([200, 200, 200, 200]);

  expect((await change(-3)).status).toBe(200);
  expect(await (await change(-1)).json()).toMatchObject({ status: 409, code: 'SOLD_OUT' });
  const { entries } = await listActivity(store.database.db, { limit: 1 });
  expect(entries[0]?.details).toMatchObject({ oldCopies: 3, newCopies: 0 });
});

test('books that are put on the front table at the same time are six at most', async () => {
  const books = await Promise.all(Array.from({ length: 8 }, (_, index) => add(`Book ${index}`)));
  const set = ({ id }: { id: string }) =>
    store.call(`/desk/api/books/${id}/front-table`, { cookie, json: { isOn: true } });

  const responses = await Promise.all(books.map(set));

  expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 200, 409, 409]);
});

test('the words of books that come and go at the same time are all counted', async () => {
  const titles = ['Dracula and Carmilla', 'Carmilla and Dracula', 'Dracula', 'Carmilla'];
  const shelve = (title = '') => add(title, { author: 'N N' });
  const books = await Promise.all(Array.from({ length: 40 }, (_, index) => shelve(titles[index % 4])));
  const leaving = books.filter((_, index) => index % 8 === 0);
  await Promise.all([
    ...leaving.map(({ id }) => deleteBook(store.database.db, id, commandActor)),
    ...leaving.map(() => shelve('Carmilla and Dracula')),
  ]);

  const counts = await store.database.db
    .selectFrom('words')
    .select(['word', 'books'])
    .orderBy('word')
    .execute();
  expect(counts.map(({ word, books }) => [word, Number(books)])).toEqual([
    ['carmilla', 30],
    ['dracula', 30],
  ]);
});

test('an index yields the newest books, of which the feed and the front are made', async () => {
  const { db } = store.database;

  const [plan] = await plansOf(db, [newestBooks(db, 50).compile()]);

  expect(plan).toContain('books_for_sale_by_newest');
  expect(plan).not.toMatch(/sort|temp b-tree/i);
});
