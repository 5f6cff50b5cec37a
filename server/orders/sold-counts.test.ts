import { expect, test } from 'vitest';
import { addBook } from '../catalogue/books.ts';
import { findBooks } from '../catalogue/find-books.ts';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { emma, setUpTestStore } from '../testing/test-store.ts';
import { openSoldCounts } from './sold-counts.ts';

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
  const soldCounts = openSoldCounts(db, (error) => {
    throw error;
  });
  const titles = async (at: number) =>
    (await findBooks(db, { q: 'winter garden' }, soldCounts(at))).books.map(({ title }) => title);

  // A better match stays first, whatever sells. The first search does not wait for the counts.
  expect(await titles(now)).toEqual(['Winter Garden', 'The Winter Garden', 'The Long Winter Garden']);
  const withSales = ['Winter Garden', 'The Long Winter Garden', 'The Winter Garden'];
  await expect.poll(() => titles(now)).toEqual(withSales);

  // The next day counts the three of today.
  expect(await titles(now + dayMs)).toEqual(withSales);
  await expect
    .poll(() => titles(now + dayMs))
    .toEqual(['Winter Garden', 'The Winter Garden', 'The Long Winter Garden']);
});

test('when the sales cannot be read, the order stays as it is, and they are read again a minute later', async () => {
  const errors: unknown[] = [];
  const soldCounts = openSoldCounts({} as Db, (error) => errors.push(error));

  expect(soldCounts(0).size).toBe(0);
  await expect.poll(() => errors.length).toBe(1);
  soldCounts(1);
  await new Promise(setImmediate);
  expect(errors.length).toBe(1);
  soldCounts(60_000);
  await expect.poll(() => errors.length).toBe(2);
});
