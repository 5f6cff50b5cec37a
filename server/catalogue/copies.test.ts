/** Numbers of copies, as the owner sets them. */

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { BookInStock } from '../../contract/book.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import { commandActor } from '../activity/activity.ts';
import { importBooks } from '../import/import-books.ts';
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
const onDesk = async () => readJson<DeskBook>(await store.call(`/desk/api/books/${id}`, { cookie }));
const copies = async () => (await onDesk()).copies;
const listed = async (path: string) =>
  (await readJson<{ title: string }[]>(await store.call(path, { cookie }))).map(({ title }) => title);
const inStock = async () => readJson<BookInStock>(await store.call(`/book/${id}`));
const importFile = (text: string, onCommitted = () => {}) =>
  importBooks(store.database.db, Readable.from([Buffer.from(text)]), {
    actor: commandActor,
    isDryRun: false,
    readImage: (image) => ({ image, isMade: false }),
    onCommitted,
  });

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
  expect(await listed('/desk/api/books')).toEqual(['Persuasion', 'Emma']);
  expect(await listed('/desk/api/books?q=emma')).toEqual(['Emma']);
  expect(await listed('/desk/api/books?state=sold-out')).toEqual(['Emma']);
  expect(await listed('/desk/api/books?state=for-sale')).toEqual(['Persuasion']);
  expect(await listed('/desk/api/books?state=deleted')).toEqual([]);
  const first = await store.call('/desk/api/books?limit=1', { cookie });
  expect(await listed(nextPage(first))).toEqual(['Emma']);
});

test('an import without the column leaves the copies, an empty cell is any number, and an export has them', async () => {
  const head = 'id,title,author,price,image';
  const row = `${id},Emma,Jane Austen,12.99,${emma.image}`;
  expect(await importFile(`${head}\n${row}\n`)).toMatchObject({ unchanged: 1 });
  expect(await copies()).toBe(5);
  const { version } = await onDesk();

  expect(await importFile(`${head},copies\n${row},0\n`)).toMatchObject({ changed: 1, restored: 0 });

  expect(await listed('/books')).toEqual([]);
  expect(await inStock()).toMatchObject({ soldOut: true });
  expect((await onDesk()).version).toBe(version);
  const exported = await (await store.call('/desk/api/books/export', { cookie })).text();
  const [columns = '', values = ''] = exported.split('\r\n');
  expect(values.split(',')[columns.split(',').indexOf('copies')]).toBe('0');
  // By its title: the book that is sold out is found, and not added again.
  const byTitle = `title,author,price,image,copies\nEmma,Jane Austen,12.99,${emma.image},\n`;
  expect(await importFile(byTitle)).toMatchObject({ added: 0, changed: 1, restored: 0 });
  expect(await copies()).toBeNull();
  expect(await listed('/books?q=emma')).toEqual(['Emma']);
  expect(await importFile(`${head},copies\n,Persuasion,Jane Austen,9.99,${emma.image},2\n`)).toMatchObject({
    added: 1,
  });
  const wrong = await importFile(`${head},copies\n${row},ten\n`);
  expect(wrong.errors).toMatchObject([{ column: 'copies' }]);
});

test('the check finds what statements by hand have done', async () => {
  const { db } = store.database;
  const faultsAfter = async (statement: string) => {
    await sql.raw(statement).execute(db);
    return (await checkCopies(db)).faults.join();
  };
  expect(await faultsAfter('update books set copies_left = 2')).toContain(
    'another number of copies than the shop shows',
  );
  expect(await faultsAfter('update books set copies_left = 5, sold_out_at = 1, removed_at = 1')).toContain(
    'is sold out on the shelf, or off it with copies',
  );
  expect(
    await faultsAfter("update copies set order_id = 'none' where id = (select min(id) from copies)"),
  ).toContain('A copy is taken by the order');
});
