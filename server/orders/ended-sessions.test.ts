/** Orders whose session another process has changed since its last look-up. */

import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { signedInCustomer } from '../access/guards.ts';
import { addBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { emma, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';

const admin = 'admin@example.com';
const store = setUpTestStore({ settings: { adminEmails: [admin] } });
let cookie: string;
let other: Db;
beforeEach(async () => {
  cookie = await store.signIn();
  other = (await store.openDatabaseAgain()).db;
  await addBook(store.database.db, emma, null);
  await readJson(await post(orderOf(emma), 'first'), 201);
});

const post = (json: unknown, key?: string) =>
  store.call('/addOrder', { json, cookie, headers: key === undefined ? {} : { 'idempotency-key': key } });

const buyers = () =>
  store.database.db.selectFrom('orders').select(['buyer_name', 'buyer_email']).orderBy('id').execute();

test('a session that was looked up before buys with one statement', async () => {
  const statements: string[] = [];
  store.database.observeStatements((kind) => statements.push(kind));

  await readJson(await post(orderOf(emma), 'second'), 201);

  expect(statements).toEqual(['insert']);
});

const refused = async (response: Response) => {
  expect(await readJson(response, 401)).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
  expect(await buyers()).toHaveLength(1);
};

test.each<[string, (db: Db) => Promise<unknown>]>([
  ['has ended', (db) => db.deleteFrom('sessions').execute()],
  ['began under another issuer', (db) => db.updateTable('sessions').set({ provider_issuer: 'x' }).execute()],
  ['has been idle for too long', (db) => db.updateTable('sessions').set({ last_seen_at: 0 }).execute()],
  ['is older than its limit', (db) => db.updateTable('sessions').set({ created_at: 0 }).execute()],
  ['has a blocked customer', (db) => db.updateTable('customers').set({ blocked_at: 1 }).execute()],
  ['has an erased customer', (db) => db.updateTable('customers').set({ erased_at: 1 }).execute()],
])('a session that %s buys nothing', async (_, change) => {
  await change(other);

  await refused(await post(orderOf(emma)));
});

const postText = (body: string, type: string) =>
  store.call('/addOrder', { method: 'POST', body, cookie, headers: { 'content-type': type } });

test.each<[string, () => Promise<Response>]>([
  ['an order again', () => post(orderOf(emma), 'first')],
  ['another order under its key', () => post(orderOf({ ...emma, title: 'Persuasion' }), 'first')],
  ['a book at another price', () => post(orderOf({ ...emma, priceCents: 1 }))],
  ['another day', () => post({ ...orderOf(emma), time: 'Sat Nov 21 1998' })],
  ['another e-mail', () => post(orderOf(emma, 'else@example.com'))],
  ['an invalid field', () => post({ ...orderOf(emma), price: -1 })],
  ['broken JSON', () => postText('{', 'application/json')],
  ['another type', () => postText('x', 'text/plain')],
  ['too long a body', () => postText(' '.repeat(2_000_000), 'application/json')],
])('a session that has ended gets 401 for %s', async (_, send) => {
  await other.deleteFrom('sessions').execute();

  await refused(await send());
});

test('an admin who was idle for 12 hours buys nothing', async () => {
  cookie = await store.signIn({ sub: 'admin', email: admin });
  const now = Date.now();
  endsWithTest(() => vi.useRealTimers());
  const orderAfter = async (hours: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: now + hours * 3_600_000 });
    return (await post(orderOf(emma, admin))).status;
  };
  expect(await orderAfter(0)).toBe(201);

  expect(await orderAfter(12.1)).toBe(401);

  expect((await buyers()).filter(({ buyer_email: email }) => email === admin)).toHaveLength(1);
});

test.each(['Sat Nov 21 1998', 'tomorrow', '<b>'])(
  'a session that was looked up before buys for today alone: not for %s',
  async (time) => {
    expect(await readJson(await post({ ...orderOf(emma), time }), 400)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'time' }],
    });
    expect(await buyers()).toHaveLength(1);
  },
);

describe('a customer whose name and e-mail have changed', () => {
  beforeEach(async () => {
    await other.updateTable('customers').set({ name: 'Renamed', email: 'renamed@example.com' }).execute();
  });

  test('buys under these', async () => {
    const { email: _, ...order } = orderOf(emma);
    await readJson<Order>(await post(order), 201);

    expect((await buyers()).at(-1)).toEqual({ buyer_name: 'Renamed', buyer_email: 'renamed@example.com' });
  });

  test('buys with the new e-mail', async () => {
    await readJson(await post(orderOf(emma, 'renamed@example.com')), 201);
  });

  test('buys nothing with the earlier e-mail', async () => {
    expect(await readJson(await post(orderOf(emma)), 403)).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  test('gets the earlier order for its key', async () => {
    const { email: _, ...order } = orderOf(emma);
    expect(await readJson(await post(order, 'first'), 201)).toMatchObject({ title: emma.title });
    expect(await buyers()).toEqual([{ buyer_name: reader.name, buyer_email: reader.email }]);
  });
});

test('an assumed customer is given to no route that does not check the session', () => {
  const request = { customer: reader, assumed: { customer: reader } } as unknown as FastifyRequest;

  expect(() => signedInCustomer(request)).toThrow('must use withSession');
});
