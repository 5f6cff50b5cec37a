import { expect, test } from 'vitest';
import { addBook } from '../catalogue/books.ts';
import { findBooks } from '../catalogue/find-books.ts';
import { dayMs } from '../database/times.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { emma, setUpTestStore } from '../testing/test-store.ts';
import { countSold } from './sales.ts';

const store = setUpTestStore();

test('of equal matches the one that sold more comes first, by the sales up to yesterday', async () => {
  const { db } = store.database;
  const now = Date.parse('2026-03-11T12:00:00Z');
  const add = async (title: string) => (await addBook(db, { ...emma, title }, null)).id;
  const ids = [
    await add('The Long Winter Garden'),
    await add('The Winter Garden'),
    await add('Winter Garden'),
  ];
  await store.signIn();
  const sell = async (bookId = '', at = now) =>
    addOrders(db, await customerIdOf(db), [{ at, bookId, title: '', priceCents: 100 }]);
  await sell(ids[0], now - dayMs);
  for (let today = 0; today < 3; today += 1) await sell(ids[1], now);
  const titles = async (at: number) =>
    (await findBooks(db, { q: 'winter garden' }, await countSold(db, at))).books.map(({ title }) => title);

  // A better match stays first, whatever the sales.
  expect(await titles(now)).toEqual(['Winter Garden', 'The Long Winter Garden', 'The Winter Garden']);
  // A day later, the three sales of today count.
  expect(await titles(now + dayMs)).toEqual(['Winter Garden', 'The Winter Garden', 'The Long Winter Garden']);
});
