import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { KnownAddress, Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { eraseCustomer } from '../customers/erase-customer.ts';
import { about, shopOf } from '../testing/acts.ts';
import { customerIdOf } from '../testing/orders.ts';
import { emma, openTestStore, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { setAddress } from './acts/change-order.ts';
import { markOrders } from './acts/mark-orders.ts';

const admin = { sub: 'owner', email: 'owner@shop.example' };
const store = setUpTestStore({ settings: { adminEmails: [admin.email] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn();
  await addBook(store.database.db, emma, null);
});

const highbury = '1 Hartfield Lane\nHighbury';
const order = (over: Record<string, unknown> = {}, key?: string) =>
  store.call(paths.addOrder, {
    cookie,
    json: { ...orderOf(emma), ...over },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const buy = async (over?: Record<string, unknown>, key?: string) =>
  await readJson<Order>(await order(over, key), 201);
const correct = (id: string, deliveryAddress: unknown, asWhom = cookie) =>
  store.call(paths.order(id), { method: 'PATCH', json: { deliveryAddress }, cookie: asWhom });
const codeOf = async (response: Response) => {
  const { code } = await readJson<ProblemBody>(response, response.status);
  return [response.status, code];
};
const listed = async () =>
  await readJson<Order[]>(await store.call(paths.allOrder(reader.email), { cookie }));
const onDesk = async () =>
  await readJson<DeskOrder[]>(await store.call(deskPaths.orders, { cookie: await store.signIn(admin) }));
const prefilled = async () => await readJson<KnownAddress>(await store.call(paths.address, { cookie }));
describe('an order with an address', () => {
  test('keeps its lines, without white space around them, for its buyer and the desk, whatever comes with its key again', async () => {
    const placed = await buy({ deliveryAddress: '\r\n 1 Hartfield Lane \r\n\r\n  Highbury\n' }, 'one');

    expect(placed).toMatchObject({ deliveryAddress: highbury, state: 'new' });
    expect(await buy({ deliveryAddress: '2 Donwell Road' }, 'one')).toEqual(placed);
    expect(await buy({}, 'one')).toEqual(placed);
    expect(await listed()).toEqual([{ ...placed, image: emma.image }]);
    expect(await onDesk()).toMatchObject([{ deliveryAddress: highbury, addressCorrectedAt: null }]);
  });

  test('has 500 characters at most, none that hide something; an address that nobody can see is none', async () => {
    for (const deliveryAddress of ['x'.repeat(501), 'Highbury\u0007', 'High\u202ebury', 7]) {
      const { code, errors } = await readJson<ProblemBody>(await order({ deliveryAddress }), 400);
      expect([code, errors?.[0]?.field]).toEqual(['VALIDATION_FAILED', 'deliveryAddress']);
    }
    expect(await listed()).toEqual([]);
    for (const unseen of [' \n ', '\u200b', '\u00ad\n\u2060', '\u2800', '\u3164', '\u{e0041}']) {
      expect(await buy({ deliveryAddress: unseen })).not.toHaveProperty('deliveryAddress');
      const seen = await buy({ deliveryAddress: `${highbury}\n${unseen}` });
      expect([unseen, seen.deliveryAddress]).toEqual([unseen, highbury]);
    }
    expect((await buy({ deliveryAddress: 'x'.repeat(500) })).deliveryAddress).toHaveLength(500);
  });
});

test('PATCH /order/{id} corrects the address until the order is sent, is for the buyer alone, and the desk sees it', async () => {
  const { _id } = await buy({ deliveryAddress: highbury });
  const other = await store.signIn({ sub: 'other', email: 'other@example.com' });

  await readJson<Order>(await correct(_id, `${highbury}\n`));
  expect(await onDesk()).toMatchObject([{ addressCorrectedAt: null }]);
  await readJson<Order>(await correct(_id, '2 Donwell Road'));
  const corrected = { deliveryAddress: '2 Donwell Road', addressCorrectedAt: expect.stringMatching(/^20/) };
  expect(await onDesk()).toMatchObject([corrected]);

  expect(await codeOf(await correct(_id, 'Elsewhere', other))).toEqual([403, 'NOT_ALLOWED']);
  expect(await codeOf(await correct('no-such-id', 'Elsewhere'))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(await codeOf(await correct(_id, 'x'.repeat(501)))).toEqual([400, 'VALIDATION_FAILED']);
  await markOrders.run(shopOf(store.database.db), {
    params: {},
    query: {},
    body: { ids: [_id], isSent: true },
  });
  expect(await codeOf(await correct(_id, highbury))).toEqual([409, 'ALREADY_SENT']);
});

test('PATCH /desk/api/orders/{id} corrects the address for the owner, and the trail has the order without the address', async () => {
  const { _id } = await buy();
  const owner = await store.signIn(admin);
  const json = { deliveryAddress: highbury };
  const set = (id: string) => store.call(deskPaths.order(id), { method: 'PATCH', json, cookie: owner });

  expect(await readJson<DeskOrder>(await set(_id))).toMatchObject({ _id, deliveryAddress: highbury });
  await set(_id);

  expect(await codeOf(await set('no-such-id'))).toEqual([404, 'ORDER_NOT_FOUND']);
  const { entries } = await listActivity(store.database.db, { limit: 10 });
  expect(entries).toMatchObject([{ action: 'order-address-set', subject: _id, details: null }]);
});

test('GET /auth/address has the address that the customer gave last, otherwise the provider’s, for the customer alone', async () => {
  const { headers } = await store.call(paths.address, { cookie });
  expect([await prefilled(), headers.get('cache-control')]).toEqual([null, 'private, no-store']);
  await store.database.db.updateTable('sessions').set({ delivery_address: 'Enscombe' }).execute();
  expect(await prefilled()).toEqual({ deliveryAddress: 'Enscombe' });
  for (const deliveryAddress of ['2 Donwell Road', highbury, '']) await buy({ deliveryAddress });

  expect(await prefilled()).toEqual({ deliveryAddress: highbury });
});

test('an erased customer’s orders have no address, and get none', async () => {
  const { _id } = await buy({ deliveryAddress: highbury });
  const id = await customerIdOf(store.database.db);

  await eraseCustomer(store.database.db, id, commandActor);
  const setting = setAddress.run(shopOf(store.database.db), about(_id, { deliveryAddress: highbury }));
  await expect(setting).rejects.toMatchObject({ code: 'CUSTOMER_NOT_FOUND' });

  expect(await onDesk()).toMatchObject([{ deliveryAddress: null, addressCorrectedAt: null }]);
});

test('a shop with DELIVERY=off ignores the address, and has no calls about it', async () => {
  const counter = await openTestStore({ settings: { hasDelivery: false } });
  await addBook(counter.database.db, emma, null);
  const buyer = await counter.signIn();

  const json = { ...orderOf(emma), deliveryAddress: highbury };
  const placed = await readJson<Order>(await counter.call(paths.addOrder, { json, cookie: buyer }), 201);

  expect(placed).not.toHaveProperty('deliveryAddress');
  expect((await counter.call(paths.address, { cookie: buyer })).status).toBe(404);
  const correction = { method: 'PATCH', json: { deliveryAddress: highbury }, cookie: buyer };
  expect((await counter.call(paths.order(placed._id), correction)).status).toBe(405);
});
