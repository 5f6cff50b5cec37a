/** The books that the page of another one shows. */

import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { BooksBeside } from '../../contract/book.ts';
import type { BookDetails } from '../../contract/book-fields.ts';
import { paths } from '../../contract/paths.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { plansOf } from '../testing/plans.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, readJson, setUpTestStore } from '../testing/test-store.ts';
import { boughtWith, byAuthorOf } from './beside.ts';
import { addBook } from './books.ts';

const store = setUpTestStore({ settings: { hasRateLimits: false } });

afterEach(() => void vi.useRealTimers());

/** @returns the id of the book. Each has an author of its own, unless `details` say another. */
const add = async (title: string, details: Partial<BookDetails> = {}): Promise<string> =>
  (await addBook(store.database.db, { ...emma, author: `The author of ${title}`, title, ...details }, null))
    .id;
const removeFromShelf = (id: string, soldOutAt: number | null) =>
  store.database.db
    .updateTable('books')
    .set({ removed_at: 1, sold_out_at: soldOutAt })
    .where('id', '=', id)
    .execute();

async function beside(id: string): Promise<{ byAuthor: string[]; beside: string[] }> {
  store.database.catalogueVersion.recordLocalChange();
  const found = await readJson<BooksBeside>(await store.call(paths.beside(id)));
  const titlesOf = (books: BooksBeside['beside']) => books.map(({ title }) => title);
  return { byAuthor: titlesOf(found.byAuthor), beside: titlesOf(found.beside) };
}

/** Each buyer has bought all of the books. */
async function sell(bookIds: readonly string[], buyers: readonly string[]): Promise<void> {
  for (const sub of buyers) {
    await store.signIn({ sub, email: `${sub}@example.com` });
    const customerId = await customerIdOf(store.database.db, sub);
    await addOrders(
      store.database.db,
      customerId,
      bookIds.map((bookId, index) => ({ at: Date.now() + index, bookId })),
    );
  }
}

/** Adds books between the subject of the page and the books to find, so that no neighbour in the list comes before them. */
const addOthers = async () => {
  for (let number = 1; number <= 24; number += 1) await add(`Other ${number}`);
};

test('lists the newest books of the first author that are for sale, without the book itself', async () => {
  const id = await add('Emma', { author: 'Jane Austen' });
  const deleted = await add('Sanditon', { author: 'Jane Austen' });
  const soldOut = await add('Lady Susan', { author: 'Jane Austen' });
  await add('Persuasion', { author: 'JANE AUSTEN, A. Editor' });
  await add('On Jane Austen', { author: 'A. Editor, Jane Austen' });
  for (let number = 1; number <= 12; number += 1) await add(`Letters ${number}`, { author: 'Jane Austen' });
  await removeFromShelf(deleted, null);
  await removeFromShelf(soldOut, 1);

  const { byAuthor, beside: others } = await beside(id);

  expect(byAuthor).toEqual(Array.from({ length: 12 }, (_, index) => `Letters ${12 - index}`));
  expect(others).toEqual(['Persuasion', 'On Jane Austen']);
  expect((await beside(soldOut)).byAuthor).toHaveLength(12);
});

test('lists first the books of the same subjects, those with most of them before the others', async () => {
  await add('Typhoon', { keywords: 'Sea, Storms' });
  await add('Whales', { keywords: 'Sea; Whales, Ships' });
  await addOthers();
  const id = await add('Moby-Dick', { keywords: 'Whales, Sea' });
  await addOthers();
  await add('Seamus', { keywords: 'Seaside, Ireland' });
  await add('Sea words', { keywords: 'Sea Whales' });

  const { beside: found } = await beside(id);

  expect(found.slice(0, 2)).toEqual(['Whales', 'Typhoon']);
  expect(found.slice(2).every((title) => title.startsWith('Other'))).toBe(true);
  expect(found).toHaveLength(12);
});

test('lists a book that the same customers have bought when three of them have, and says nothing of fewer', async () => {
  const [byThree, byTwo, byOne] = [await add('By three'), await add('By two'), await add('By one')];
  await addOthers();
  const id = await add('Emma');
  await addOthers();
  const near = (await beside(id)).beside;
  await sell([id, byTwo, byThree, byThree], ['a', 'b']);
  await sell([id, byOne, byOne, byOne], ['d']);

  expect((await beside(id)).beside).toEqual(near);
  await sell([id, byThree], ['c']);
  expect((await beside(id)).beside).toEqual(['By three', ...near.slice(0, 11)]);

  await store.database.db
    .updateTable('orders')
    .set({ withdrawn_at: 1 })
    .where('customer_id', '=', await customerIdOf(store.database.db, 'c'))
    .where('book_id', '=', byThree)
    .execute();
  expect((await beside(id)).beside).toEqual(near);
});

test('a deleted book has no books beside it, and a change of the catalogue is seen at once', async () => {
  const id = await add('Emma', { author: 'Jane Austen' });
  const response = await store.call(paths.beside(id));
  const etag = response.headers.get('etag') ?? '';
  expect(await readJson(response)).toEqual({ byAuthor: [], beside: [] });
  const again = await store.call(paths.beside(id), { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);

  await add('Persuasion', { author: 'Jane Austen' });
  expect((await beside(id)).byAuthor).toEqual(['Persuasion']);

  await removeFromShelf(id, null);
  store.database.catalogueVersion.recordLocalChange();
  expect((await store.call(paths.beside(id))).status).toBe(404);
});

test('indexes yield the books of an author, and the purchases of a book and of its buyers, however many there are', async () => {
  const { db } = store.database;
  const queries = [
    byAuthorOf(db, { id: 'a', authorKey: 'jane austen' }).compile(),
    boughtWith('7').compile(db),
  ];
  if (isOnPostgres()) {
    await sql`
        insert into customers (id, issuer, sub, email, is_email_verified, name, photo, created_at)
        select number, 'i', number, '', 1, '', '', 0 from generate_series(1, 500) as number
      `.execute(db);
    await sql`
        insert into orders (customer_id, id, book_id, title, author, price_cents, time, buyer_name, buyer_email, placed_at)
        select number % 500 + 1, number, number % 97, '', '', 1, '', '', '', number from generate_series(1, 10000) as number
      `.execute(db);
    // Among a few rows, every index costs the same.
    await add('Emma');
    await sql`
        insert into books select (jsonb_populate_record(books, jsonb_build_object(
          'id', number, 'seq', seq + number, 'author_key', number % 500
        ))).* from books, generate_series(1, 5000) as number
      `.execute(db);
    await sql`analyze orders, books`.execute(db);
  }

  const plans = await plansOf(db, queries, ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']);

  const [author = '', bought = ''] = plans;
  expect(author).toContain('books_for_sale_by_author_key');
  expect(author).not.toMatch(/temp b-tree|scan books(?! using)/i);
  expect(bought).toContain('orders_of_books');
  expect(bought).toMatch(
    isOnPostgres() ? /Index Cond: \(+customer_id = orders_1\.customer_id/ : /\(customer_id=\?\)/,
  );
  expect(bought).not.toMatch(/seq scan on orders|scan orders(?! using)/i);
});
