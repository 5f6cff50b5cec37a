import { beforeEach, expect, test } from 'vitest';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { addBook } from '../catalogue/books.ts';
import { lockOrder } from '../orders/orders.ts';
import { emma, orderOf, readJson, setUpTestStore } from '../testing/test-store.ts';
import { changePayment, findStanding, newCharge, write } from './standing.ts';

const admin = { sub: 'owner', email: 'owner@shop.example' };
const settings = { adminEmails: [admin.email], payments: { ways: ['transfer'], days: 7 } };
const store = setUpTestStore({ settings });
const senders = { mail: true, webhooks: true };
const weekMs = 7 * 86_400_000;
let cookie: string;
let owner: string;
beforeEach(async () => {
  cookie = await store.signIn();
  owner = await store.signIn(admin);
});

const buy = async (book: typeof emma = emma) =>
  await readJson<Order>(await store.call(paths.addOrder, { cookie, json: orderOf(book) }), 201);
const read = async ({ _id }: Order) => await readJson<Order>(await store.call(paths.order(_id), { cookie }));
const onDesk = async (state: string) =>
  (
    await readJson<DeskOrder[]>(await store.call(`${deskPaths.orders}?state=${state}`, { cookie: owner }))
  ).map(({ number }) => number);
const mark = (...orders: Order[]) =>
  store.call(deskPaths.ordersSent, {
    cookie: owner,
    json: { ids: orders.map(({ _id }) => _id), isSent: true },
  });
const pay = ({ _id, number: reference }: Order, id = `entry of ${reference}`) =>
  store.database.db.transaction().execute(async (db) => {
    await lockOrder(db, _id);
    const charge = newCharge({ id, reference, way: 'transfer', cents: 1299 });
    const written = await changePayment(db, reference, senders, ({ payment, charges }) => ({
      ...{ payment, charges: [...charges, charge] },
    }));
    return written && [...written.changes].join();
  });
/** What a sweep does once no provider has an open session. */
const expire = async ({ number }: Order, now: number, { db } = store.database) => {
  const standing = await findStanding(db, number);
  if (!standing) throw new Error('it has no payment');
  return await write(db, standing, standing, { senders, isHeld: false, now });
};
const messages = async () =>
  (await store.database.db.selectFrom('outbox').select('kind').orderBy('id').execute()).map(
    ({ kind }) => kind,
  );

test('an order is due until it is paid, and is sent only then', async () => {
  await addBook(store.database.db, emma, null);
  const before = Date.now();
  const [first, second] = [await buy(), await buy()];
  const until = Date.parse(first.payment?.until ?? '');

  expect(first.payment).toEqual({ state: 'due', until: expect.any(String), ways: ['transfer'] });
  expect([until - before >= weekMs, until - Date.now() <= weekMs]).toEqual([true, true]);
  expect(await read(first)).toMatchObject({ state: 'new', payment: first.payment });
  expect([await onDesk('due'), await onDesk('new')]).toEqual([[second.number, first.number], []]);
  const refused = await readJson<ProblemBody>(await mark(first, second), 409);
  expect([refused.code, refused.detail]).toEqual(['NOT_PAID', expect.stringContaining(first.number)]);

  expect([await pay(first), await pay(first, 'again')]).toEqual(['paid', 'surplus']);
  expect((await mark(first, second)).status).toBe(409);
  expect([await onDesk('due'), await onDesk('new')]).toEqual([[second.number], [first.number]]);
  await readJson(await mark(first));

  expect(await read(first)).toMatchObject({ state: 'sent', payment: { state: 'paid', ways: [] } });
  expect(await messages()).toEqual(['order.paid']);
});

test('what goes back because an order was marked as paid does not pay it when the mark is taken back', async () => {
  await addBook(store.database.db, emma, null);
  const order = await buy();
  const markPaid = (isPaid: boolean) =>
    store.call(deskPaths.ordersPaid, { cookie: owner, json: { ids: [order._id], isPaid } });

  await markPaid(true);
  expect(await pay(order)).toBe('surplus');
  await markPaid(false);

  expect(await read(order)).toMatchObject({ payment: { state: 'due' } });
});

test('nothing is due for a free book, nor for one that is paid when it is collected: both can be sent at once', async () => {
  const { db } = store.database;
  await addBook(db, emma, null);
  await addBook(db, { ...emma, title: 'Free', priceCents: 0 }, null);
  const free = await buy({ ...emma, title: 'Free', priceCents: 0 });
  const way = {
    id: 'desk',
    name: 'Collect it here',
    price_cents: 100,
    asks_address: 0,
    line: '',
    position: 1,
  };
  await db
    .insertInto('ways')
    .values({ ...way, pay_on_collection: 1 })
    .execute();
  const json = { ...orderOf(emma), way: way.id, total: 13.99 };

  const collected = await readJson<Order>(await store.call(paths.addOrder, { cookie, json }), 201);

  for (const order of [free, collected]) {
    expect(order).not.toHaveProperty('payment');
    expect([await pay(order), (await mark(order)).status]).toEqual([undefined, 200]);
  }
  await db.updateTable('ways').set({ pay_on_collection: 0 }).execute();
  const posted = await readJson<Order>(await store.call(paths.addOrder, { cookie, json }), 201);
  expect(posted.payment?.state).toBe('due');
  expect(await db.selectFrom('payments').select('cents').execute()).toEqual([{ cents: 1399 }]);
});

test('an order that is not paid in time is cancelled once: its copy comes back, and the buyer is told', async () => {
  const { db } = store.database;
  const { id } = await addBook(db, { ...emma, copies: 1 }, null);
  const order = await buy();
  const due = Date.parse(order.payment?.until ?? '');

  expect((await expire(order, due - 1))?.changes.size).toBe(0);
  const results = await Promise.all(Array.from({ length: 6 }, () => expire(order, due)));

  expect(results.filter((written) => written?.changes.has('cancelled'))).toHaveLength(1);
  expect(await read(order)).toMatchObject({ state: 'cancelled', payment: { state: 'expired', ways: [] } });
  expect(await db.selectFrom('stock').select('left').where('book_id', '=', id).execute()).toEqual([
    { left: 1 },
  ]);
  expect(await messages()).toEqual(['cancellation', 'order.cancelled']);
  expect((await mark(order)).status).toBe(409);
  expect(await pay(order)).toBe('surplus');
  expect(await read(order)).toMatchObject({ state: 'cancelled', payment: { state: 'expired' } });
});

test('money that comes while an order expires on another node pays it, or is surplus; the book is sold once', async () => {
  const { db } = store.database;
  const other = await store.openDatabaseAgain();
  const { id } = await addBook(db, { ...emma, copies: 20 }, null);
  const left = db.selectFrom('stock').select('left').where('book_id', '=', id);
  const orders = await Promise.all(Array.from({ length: 20 }, () => buy()));
  const outcomes = await Promise.all(
    orders.map(async (order) => {
      const due = Date.parse(order.payment?.until ?? '');
      const [paid] = await Promise.all([pay(order), expire(order, due), expire(order, due, other)]);
      return [paid, (await read(order)).state];
    }),
  );

  for (const outcome of outcomes)
    expect(outcome).toEqual(outcome[0] === 'paid' ? ['paid', 'new'] : ['surplus', 'cancelled']);
  const cancelled = outcomes.filter(([, state]) => state === 'cancelled').length;
  expect(await left.execute()).toEqual([{ left: cancelled }]);
  expect((await messages()).filter((kind) => kind === 'order.paid')).toHaveLength(20 - cancelled);
});

test('nothing is due for a withdrawn order; what is paid later is surplus', async () => {
  await addBook(store.database.db, emma, null);
  const order = await buy();
  await readJson(await store.call(withdrawalPaths.order(order._id), { method: 'POST', cookie }));

  expect(await read(order)).toMatchObject({ state: 'withdrawn', payment: { state: 'expired', ways: [] } });
  expect(await pay(order)).toBe('surplus');
  expect((await expire(order, Date.now() + 2 * weekMs))?.changes.size).toBe(0);
  expect((await read(order)).payment).not.toHaveProperty('refunded');
  const settled = { cookie: owner, json: { isRefunded: true } };
  await readJson(await store.call(deskPaths.orderSettle(order._id), settled));
  expect(await read(order)).toMatchObject({
    ...{ state: 'withdrawn', payment: { state: 'expired', refunded: 12.99 } },
  });
});
