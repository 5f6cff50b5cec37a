/** Tests of orders where SQLite and PostgreSQL could differ: conflicts, locks, plans. */

import { beforeEach, expect, test } from 'vitest';
import type { MarkedOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { noSenders } from '../outbox/record.ts';
import { shopOf } from '../testing/acts.ts';
import { addOrders, customerIdOf } from '../testing/orders.ts';
import { plansOf } from '../testing/plans.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { emma, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';
import { markOrders } from './acts/mark-orders.ts';
import { findDeskOrder } from './desk-orders.ts';
import { ordersPage } from './orders.ts';
import { withdrawOrder } from './withdrawal.ts';

const admin = { sub: 'ada', email: 'ada@example.com' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
});
const post = (json: object, headers: Record<string, string> = {}) =>
  store.call(paths.addOrder, { cookie, headers, json });

test('one Idempotency-Key makes one order of 20 parallel requests, and 20 equal responses', async () => {
  await addBook(store.database.db, emma, null);

  const responses = await Promise.all(
    Array.from({ length: 20 }, () => post(orderOf(emma), { 'idempotency-key': 'one-key' })),
  );

  const bodies = await Promise.all(responses.map((response) => response.text()));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(bodies).size).toBe(1);
  expect(await store.database.db.selectFrom('orders').select('id').execute()).toHaveLength(1);
});

test.each([null, 1, 20])(
  'the id of a book sells that very one of two that are alike, of %j copies',
  async (copies) => {
    const { db } = store.database;
    const add = async () => (await addBook(db, { ...emma, copies }, null)).id;
    const [first, second] = [await add(), await add()];

    await Promise.all([second, first, second, first].map((bookId) => post({ ...orderOf(emma), bookId })));

    const sold = await db.selectFrom('orders').select('book_id').execute();
    const ids = copies === 1 ? [first, second] : [first, first, second, second];
    expect(sold.map(({ book_id }) => book_id).sort()).toEqual(ids.sort());
  },
);

test('each order is marked once when several nodes mark the same ones at once, in any order', async () => {
  const { db } = store.database;
  const unsent = Array.from({ length: 200 }, () => ({ at: Date.now() }));
  const ids = await addOrders(db, await customerIdOf(db), unsent);
  const owner = await store.signIn(admin);
  const mark = (ids: string[]) =>
    store.call(deskPaths.ordersSent, { cookie: owner, json: { ids, isSent: true } });

  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => mark(index % 2 === 0 ? ids : ids.toReversed())),
  );

  const bodies = await Promise.all(responses.map((response) => readJson<MarkedOrder[]>(response)));
  expect(new Set(bodies.flat().map(({ _id, sentAt }) => `${_id} ${sentAt}`)).size).toBe(200);
  const { entries } = await listActivity(db, { limit: 100, action: 'orders-marked' });
  expect(entries).toMatchObject([{ details: { isSent: true, orders: 200 } }]);
});

test('an order was sent before its withdrawal, or is not sent: of a withdrawal and a mark at once', async () => {
  const { db } = store.database;
  const second = await store.openDatabaseAgain();
  await addBook(db, emma, null);
  const customer = { id: await customerIdOf(db) };
  for (let round = 0; round < 20; round += 1) {
    const { _id } = await readJson<Order>(await post(orderOf(emma)), 201);
    const marking = () =>
      markOrders.run(shopOf(second.db), { params: {}, query: {}, body: { ids: [_id], isSent: true } });
    const withdrawing = () => withdrawOrder(db, customer, _id, { senders: noSenders });
    const calls = round % 2 ? [marking(), withdrawing()] : [withdrawing(), marking()];
    const results = (await Promise.allSettled(calls)).map(({ status }) => status);
    const [markResult, withdrawResult] = round % 2 ? results : results.toReversed();

    const order = await findDeskOrder(db, _id);
    expect([withdrawResult, order.state]).toEqual(['fulfilled', 'withdrawn']);
    expect(markResult).toBe(order.sentAt === null ? 'rejected' : 'fulfilled');
  }
});

test('a list reads no more than a page, and the books of it', async () => {
  const { db } = store.database;
  const queries = [
    ordersPage(db, 'a', { limit: 200 }).compile(),
    ordersPage(db, 'a', { limit: 200, cursor: 'b', book: 'c' }).compile(),
  ];

  const plans = await plansOf(db, queries, ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin']);

  for (const plan of plans) {
    expect(plan).not.toMatch(/seq scan on (orders|books)|scan (orders|books)(?! using)/i);
    expect(plan).toMatch(isOnPostgres() ? /Index Cond: \(+customer_id = / : /\(customer_id=\?/);
    expect(plan).toMatch(isOnPostgres() ? /Index Cond: \(+id = / : /books USING INDEX \S+ \(id=\?\)/);
    expect(plan).not.toMatch(isOnPostgres() ? /orders_of_books|disabled: true/i : /orders_of_books/);
  }
});
