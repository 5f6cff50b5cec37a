import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Order, WithdrawnOrder } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { noSenders } from '../outbox/record.ts';
import { customerIdOf } from '../testing/orders.ts';
import { emma, openTestStore, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { withdrawOrder } from './withdrawal.ts';

const admin = { sub: 'owner', email: 'owner@shop.example' };
const settings = { adminEmails: [admin.email] };
const store = setUpTestStore({ settings });
let cookie: string;
let owner: string;
beforeEach(async () => {
  cookie = await store.signIn();
  owner = await store.signIn(admin);
  await addBook(store.database.db, emma, null);
});

const buy = async () =>
  await readJson<Order>(await store.call(paths.addOrder, { cookie, json: orderOf(emma) }), 201);
const withdraw = (id: string, json?: unknown, asWhom = cookie) =>
  store.call(withdrawalPaths.order(id), { method: 'POST', cookie: asWhom, json });
const withdrawAsOwner = (id: string, json?: unknown) =>
  store.call(deskPaths.orderWithdraw(id), { method: 'POST', cookie: owner, json });
const settle = (id: string, json: unknown) => store.call(deskPaths.orderSettle(id), { cookie: owner, json });
const mark = (id: string, isSent = true) =>
  store.call(deskPaths.ordersSent, { cookie: owner, json: { ids: [id], isSent } });
const codeOf = async (response: Response) => {
  const { code } = await readJson<ProblemBody>(response, response.status);
  return [response.status, code];
};
const listed = async () =>
  await readJson<Order[]>(await store.call(paths.allOrder(reader.email), { cookie }));
const onDesk = async (query = '') =>
  await readJson<DeskOrder[]>(await store.call(deskPaths.orders + query, { cookie: owner }));
const change = (values: { sent_at?: number; withdrawal_days?: number | null }) =>
  store.database.db.updateTable('orders').set(values).execute();
const trail = async () =>
  (await listActivity(store.database.db, { limit: 100 })).entries.map(({ action, subject, details }) => ({
    action,
    subject,
    details,
  }));

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);

describe('POST /withdrawOrder/{id}', () => {
  test('withdraws once, with the same response again and again', async () => {
    const placed = await buy();

    const first = await readJson<WithdrawnOrder>(await withdraw(placed._id, { reason: ' I have it.\r\n ' }));
    const others = await Promise.all(
      Array.from({ length: 8 }, async () => readJson<WithdrawnOrder>(await withdraw(placed._id))),
    );

    expect(first).toEqual({ _id: placed._id, state: 'withdrawn', withdrawnAt: at });
    for (const other of others) expect(other).toEqual(first);
    const { withdrawnAt } = first;
    expect(await onDesk()).toMatchObject([
      { state: 'withdrawn', withdrawnAt, withdrawnBy: 'customer', withdrawalReason: 'I have it.' },
    ]);
    // The withdrawal is not an act of an admin.
    expect(await trail()).toEqual([]);
  });

  test('is for the buyer alone, with a reason of at most 500 characters', async () => {
    const { _id } = await buy();
    const other = await store.signIn({ sub: 'other', email: 'other@example.com' });

    expect(await codeOf(await withdraw(_id, {}, other))).toEqual([403, 'NOT_ALLOWED']);
    expect(await codeOf(await withdraw('no-such-id'))).toEqual([404, 'ORDER_NOT_FOUND']);
    for (const reason of ['x'.repeat(501), 'bell\u0007', 7]) {
      const { errors } = await readJson<ProblemBody>(await withdraw(_id, { reason }), 400);
      expect(errors?.[0]?.field).toBe('reason');
    }
    expect(await listed()).toMatchObject([{ state: 'new' }]);
  });

  test('is possible until the end of the last day after it was sent, and until it is sent', async () => {
    const { db } = store.database;
    const customer = { id: await customerIdOf(db) };
    const { _id, withdrawUntil } = await buy();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(withdrawUntil).toBe(`${inDays(14)}T23:59:59.999Z`);
    const tryAt = (time: string) =>
      withdrawOrder(db, customer, _id, { senders: noSenders }, Date.parse(time)).then(
        ({ withdrawnAt }) => withdrawnAt,
        ({ code }) => code,
      );
    await change({ sent_at: Date.parse('2026-03-10T00:00:00.000Z') });

    expect(await listed()).toMatchObject([{ state: 'sent' }]);
    expect((await listed())[0]).not.toHaveProperty('withdrawUntil');
    expect(await codeOf(await withdraw(_id))).toEqual([409, 'TOO_LATE']);
    expect(await tryAt('2026-03-25T00:00:00.000Z')).toBe('TOO_LATE');
    expect(await tryAt('2026-03-24T23:59:59.999Z')).toBe('2026-03-24T23:59:59.999Z');
    // The withdrawal was in time.
    expect((await withdraw(_id)).status).toBe(200);
  });
});

test('a shop with WITHDRAWAL_DAYS=0 places orders that their buyers cannot withdraw', async () => {
  const counter = await openTestStore({ settings: { ...settings, withdrawalDays: 0 } });
  await addBook(counter.database.db, emma, null);
  const order = { cookie: await counter.signIn(), json: orderOf(emma) };

  const placed = await readJson<Order>(await counter.call(paths.addOrder, order), 201);

  expect(placed).not.toHaveProperty('withdrawUntil');
  const response = await counter.call(withdrawalPaths.order(placed._id), { ...order, json: {} });
  expect(await codeOf(response)).toEqual([409, 'TOO_LATE']);
});

describe('the owner', () => {
  test('withdraws an order at any time, once, and the trail has it; a reason goes with the person', async () => {
    const { db } = store.database;
    const [first, second, third] = [await buy(), await buy(), await buy()];
    await change({ sent_at: Date.parse('2020-01-01') });
    await db.updateTable('orders').set({ sent_at: null }).where('id', '=', first._id).execute();
    await withdraw(first._id, { reason: 'I, A Reader, have it.' });

    const withdrawn = await readJson<DeskOrder>(await withdrawAsOwner(second._id, { reason: 'By letter' }));

    const byShop = { state: 'withdrawn', withdrawnBy: 'shop', withdrawalReason: 'By letter' };
    expect(withdrawn).toMatchObject(byShop);
    expect(await readJson<DeskOrder>(await withdrawAsOwner(second._id))).toEqual(withdrawn);
    const entry = { action: 'order-withdrawn', subject: second._id, details: { isSent: true } };
    expect(await trail()).toEqual([entry]);
    expect(await codeOf(await withdrawAsOwner('no-such-id'))).toEqual([404, 'ORDER_NOT_FOUND']);

    await eraseCustomer(db, await customerIdOf(db), commandActor);
    await readJson<DeskOrder>(await withdrawAsOwner(third._id, { reason: 'Asked by A Reader' }));
    const gone = { withdrawalReason: null, buyer: { email: '' } };
    expect(await onDesk('?state=withdrawn')).toMatchObject([gone, gone, gone]);
  });

  test('notes refunds and returns apart, which the trail has', async () => {
    const { _id } = await buy();
    expect(await codeOf(await settle(_id, { isRefunded: true }))).toEqual([409, 'NOT_WITHDRAWN']);
    await withdraw(_id);

    const marks = [{ isRefunded: true }, { isRefunded: true }, { isReturned: true }, { isRefunded: false }];
    for (const json of marks) await readJson<DeskOrder>(await settle(_id, json));

    expect(await onDesk()).toMatchObject([{ refundedAt: null, returnedAt: at }]);
    expect(await codeOf(await settle(_id, {}))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await trail()).toEqual([
      { action: 'order-settled', subject: _id, details: { isRefunded: false } },
      { action: 'order-settled', subject: _id, details: { isReturned: true } },
      { action: 'order-settled', subject: _id, details: { isRefunded: true } },
    ]);
  });

  test('exports when, by whom and why', async () => {
    const { _id } = await buy();
    await withdraw(_id, { reason: '=1+1' });
    await settle(_id, { isReturned: true });

    const file = await store.call(`${deskPaths.ordersExport}?state=withdrawn`, { cookie: owner });

    expect((await file.text()).split('\r\n')[1]).toMatch(
      /,,\d{4}-[^,]+Z,customer,'=1\+1,,\d{4}-[^,]+Z,,\w{8},USD,/,
    );
  });
});

test('a withdrawn order is not marked, nor are the others of the same call, nor sent elsewhere', async () => {
  const [withdrawn, other] = [await buy(), await buy()];
  await withdraw(withdrawn._id);

  const response = await store.call(deskPaths.ordersSent, {
    cookie: owner,
    json: { ids: [other._id, withdrawn._id], isSent: true },
  });
  const { code, detail } = await readJson<ProblemBody>(response, 409);

  expect([code, detail]).toEqual([
    'WITHDRAWN',
    `No order was marked. Withdrawn: “Emma” (${withdrawn.number}).`,
  ]);
  expect(await onDesk('?state=sent')).toEqual([]);
  expect(await codeOf(await mark(withdrawn._id, false))).toEqual([409, 'WITHDRAWN']);
  const correction = { method: 'PATCH', json: { deliveryAddress: 'Elsewhere' } };
  for (const [path, who] of [
    [paths.order(withdrawn._id), cookie],
    [deskPaths.order(withdrawn._id), owner],
  ] as const) {
    expect(await codeOf(await store.call(path, { ...correction, cookie: who }))).toEqual([409, 'WITHDRAWN']);
  }
});

test('the copy of a withdrawn order comes back at once when it was not sent, otherwise when the owner notes its return, and once', async () => {
  const { db } = store.database;
  await db.deleteFrom('books').execute();
  const { id } = await addBook(db, { ...emma, copies: 2 }, null);
  const copiesLeft = async () =>
    (await readJson<{ copies: number }>(await store.call(deskPaths.book(id), { cookie: owner }))).copies;
  const [unsent, sent] = [await buy(), await buy()];
  await mark(sent._id);

  await Promise.all(Array.from({ length: 4 }, () => withdraw(unsent._id)));
  await withdrawAsOwner(sent._id);
  expect(await copiesLeft()).toBe(1);
  await settle(unsent._id, { isReturned: true });
  expect(await copiesLeft()).toBe(1);
  for (const isReturned of [true, false, true]) await settle(sent._id, { isReturned });

  expect(await copiesLeft()).toBe(2);
});
