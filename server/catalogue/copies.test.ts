/** Tests of the numbers of copies that the owner sets. */

import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { DeskBook } from '../../contract/desk/books.ts';
import { emma, nextPage, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { checkCopies } from './check-copies.ts';

const store = setUpTestStore({ settings: { hasRateLimits: false, adminEmails: [reader.email] } });
let cookie: string;
let id: string;
beforeEach(async () => {
  cookie = await store.signIn();
  id = (await addBook(store.database.db, { ...emma, copies: 5 }, null)).id;
});

const order = async () => (await store.call('/addOrder', { cookie, json: orderOf(emma) })).status;
const etag = async () => (await store.call(`/book/${id}`)).headers.get('etag') ?? '';
const patch = (json: unknown, ifMatch: string) =>
  store.call(`/book/${id}`, { method: 'PATCH', cookie, json, headers: { 'if-match': ifMatch } });
const change = (by: number) => store.call(`/desk/api/books/${id}/copies`, { cookie, json: { by } });
const copies = async () =>
  (await readJson<DeskBook>(await store.call(`/desk/api/books/${id}`, { cookie }))).copies;
const listed = async (path: string) =>
  (await readJson<{ title: string }[]>(await store.call(path, { cookie }))).map(({ title }) => title);
test('a sale is no edit: an ETag from before it still stands, and `copiesWas` says which number is meant', async () => {
  const before = await etag();
  for (let sold = 0; sold < 3; sold += 1) expect(await order()).toBe(201);

  expect(await etag()).not.toBe(before);
  const late = await patch({ copies: 9, copiesWas: 5 }, before);
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({ code: 'COPIES_CHANGED' });
  expect((await patch({ price: { value: 9.99 } }, before)).status).toBe(200);
  expect((await patch({ copies: 9, copiesWas: 2 }, await etag())).status).toBe(200);
  expect(await copies()).toBe(9);
  expect((await patch({ copies: null }, await etag())).status).toBe(200);
  expect(await copies()).toBeNull();
});

test('the desk lists a book that is sold out after those for sale, and in a list of its own', async () => {
  await change(-5);
  await addBook(store.database.db, { ...emma, title: 'Persuasion' }, null);

  expect(await listed('/books')).toEqual(['Persuasion']);
  expect(await listed('/desk/api/books?q=emma')).toEqual(['Emma']);
  expect(await listed('/desk/api/books?state=sold-out')).toEqual(['Emma']);
  const first = await store.call('/desk/api/books?limit=1', { cookie });
  expect(await first.json()).toMatchObject([{ title: 'Persuasion' }]);
  expect(await listed(nextPage(first))).toEqual(['Emma']);
});

test('the check finds what statements by hand have done', async () => {
  const { db } = store.database;
  const faultsAfter = async (statement: string) => {
    await sql.raw(statement).execute(db);
    return (await checkCopies(db)).faults.join();
  };
  const fault = 'is not on the shelf as its stock says';
  expect(await faultsAfter('update books set copies_left = 2')).toContain(fault);
  expect(await faultsAfter('update books set copies_left = 4')).toBe('');
  expect(await faultsAfter('update books set sold_out_at = 1, removed_at = 1')).toContain(fault);
});
