import { beforeEach, expect, test } from 'vitest';
import type { DeskBook } from '../../contract/desk/books.ts';
import { commandActor } from '../activity/activity.ts';
import { withdrawForShop } from '../orders/acts/change-order.ts';
import { about, shopOf } from '../testing/acts.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { emma, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { deleteBook } from './delete-book.ts';
import { listDeskBooks } from './desk-books.ts';

const store = setUpTestStore();
let customerId: string;
beforeEach(async () => {
  await store.signIn();
  customerId = await customerIdOf(store.database.db);
});

const now = Date.parse('2026-03-11T12:00:00Z');
const hour = 60 * 60 * 1000;

test('books are sorted by what was sold, page by page', async () => {
  const { db } = store.database;
  const titles = ['Most', 'Dearest', 'Latest', 'Unsold', 'Newest', 'Deleted'];
  const ids = new Map<string, string>();
  for (const title of titles) {
    ids.set(title, (await addBook(db, { ...emma, title, author: 'By Austen' }, null)).id);
  }
  const sell = (title: string, hoursAgo: number, priceCents: number) =>
    addOrders(db, customerId, [{ at: now - hoursAgo * hour, bookId: ids.get(title) ?? '', priceCents }]);
  await sell('Most', 50, 100);
  await sell('Most', 49, 100);
  await sell('Most', 48, 100);
  await sell('Dearest', 30, 90_000);
  await sell('Dearest', 29, 1);
  await sell('Latest', 5, 200);
  await sell('Deleted', 4, 500);
  const [withdrawn = ''] = await sell('Latest', 2, 100);
  await withdrawForShop.run(shopOf(db), about(withdrawn));
  await deleteBook(db, ids.get('Deleted') ?? '', commandActor);

  type Sort = 'sold' | 'revenue' | 'last-sale';
  const list = async (sort: Sort, q = '') => {
    const books: DeskBook[] = [];
    let cursor: string | undefined;
    do {
      const page = await listDeskBooks(db, {
        sort,
        limit: q ? 200 : 2,
        ...(q && { q }),
        ...(cursor !== undefined && { cursor }),
      });
      books.push(...page.books);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return books;
  };
  const read = async () => {
    const lists = await Promise.all((['sold', 'revenue', 'last-sale'] as const).map((sort) => list(sort)));
    const found = await list('revenue', 'austen');
    return {
      titles: lists.map((books) => books.map(({ title }) => title)),
      found: found.slice(0, 3).map(({ title }) => title),
      sales: lists[0]?.map(({ sold, revenue, lastSoldAt }) => [sold, revenue, lastSoldAt]),
    };
  };

  const { titles: sorted, found, sales } = await read();

  expect(sorted).toEqual([
    ['Most', 'Dearest', 'Latest', 'Newest', 'Unsold'],
    ['Dearest', 'Most', 'Latest', 'Newest', 'Unsold'],
    ['Latest', 'Dearest', 'Most', 'Newest', 'Unsold'],
  ]);
  expect(found).toEqual(['Dearest', 'Most', 'Latest']);
  expect(sales).toEqual([
    [3, 3, '2026-03-09T12:00:00.000Z'],
    [2, 900.01, '2026-03-10T07:00:00.000Z'],
    [1, 2, '2026-03-11T07:00:00.000Z'],
    [0, 0, null],
    [0, 0, null],
  ]);
  await expect(listDeskBooks(db, { sort: 'sold', cursor: 'x' })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});

test('a withdrawal of the last sale gives back the one before', async () => {
  const { db } = store.database;
  const { id } = await addBook(db, emma, null);
  const ids = await addOrders(db, customerId, [
    { at: now - 300 * hour, bookId: id },
    { at: now - 200 * hour, bookId: id },
    { at: now - 200 * hour + 1, bookId: id },
  ]);
  const lastSale = async () => (await listDeskBooks(db, {})).books[0]?.lastSoldAt;

  for (const [withdrawn, left] of [
    [ids[2], now - 200 * hour],
    [ids[1], now - 300 * hour],
    [ids[0], null],
  ] as const) {
    await withdrawForShop.run(shopOf(db), about(withdrawn ?? ''));
    expect(await lastSale()).toBe(left === null ? null : new Date(left).toISOString());
  }
});
