/** Tests of orders whose session another process has changed after this process read it. */

import { beforeEach, expect, test, vi } from 'vitest';
import type { Order } from '../../contract/order.ts';
import { addBook } from '../catalogue/books.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { Db } from '../database/tables.ts';
import { noSenders } from '../outbox/record.ts';
import { endsWithTest } from '../testing/ends-with-test.ts';
import { customerIdOf } from '../testing/orders.ts';
import { emma, orderOf, reader, readJson, setUpTestStore } from '../testing/test-store.ts';
import { insertOrders, type OrderToInsert } from './insert-orders.ts';
import { placeOrder } from './place-order.ts';

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

test('a session that has ended gets 401, whatever it sends', async () => {
  const postText = (body: string, type: string) =>
    store.call('/addOrder', { method: 'POST', body, cookie, headers: { 'content-type': type } });
  await other.deleteFrom('sessions').execute();

  const bodies = [orderOf({ ...emma, title: 'Persuasion' }), orderOf({ ...emma, priceCents: 1 })];
  const invalid = [orderOf(emma, 'else@example.com'), { ...orderOf(emma), price: -1 }];
  for (const json of [orderOf(emma), ...bodies, ...invalid]) await refused(await post(json, 'first'));
  await refused(await postText('{', 'application/json'));
  await refused(await postText('x', 'text/plain'));
  await refused(await postText(' '.repeat(2_000_000), 'application/json'));
});

test('an admin who was idle for 12 hours buys nothing', async () => {
  cookie = await store.signIn({ sub: 'admin', email: admin });
  endsWithTest(() => vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12.1 * 3_600_000 });

  await refused(await post(orderOf(emma, admin)));
});

test('a customer whose name and e-mail have changed buys under these, and has the earlier order for its key', async () => {
  const renamed = { name: 'Renamed', email: 'renamed@example.com' };
  await other.updateTable('customers').set(renamed).execute();
  const { email: _, ...order } = orderOf(emma);
  expect(await readJson(await post(orderOf(emma)), 403)).toMatchObject({ code: 'NOT_ALLOWED' });
  expect(await readJson(await post(order, 'first'), 201)).toMatchObject({ title: emma.title });
  expect(await buyers()).toHaveLength(1);

  await readJson<Order>(await post(order), 201);
  await readJson(await post(orderOf(emma, renamed.email)), 201);

  const buyer = { buyer_name: renamed.name, buyer_email: renamed.email };
  expect((await buyers()).slice(1)).toEqual([buyer, buyer]);
});

test.each([null, 5])(
  'a session that ends after its request was let in buys nothing, of a book with %j copies, and fails no other order',
  async (copies) => {
    const { db } = store.database;
    const { id: bookId } = await addBook(db, { ...emma, copies }, null);
    const customer = { ...reader, id: await customerIdOf(db), adminClaim: null };
    const request = { ...emma, bookId, time: new Date().toDateString() };
    const insertTogether = groupCommit((orders: readonly OrderToInsert[]) =>
      insertOrders(db, orders, noSenders),
    );
    const buy = (session: string) => placeOrder(db, customer, request, { session, insertTogether });
    const { id_hash: open } = await db.selectFrom('sessions').select('id_hash').executeTakeFirstOrThrow();

    const results = await Promise.allSettled([buy(open), buy('ended'), buy(open)]);

    expect(results).toMatchObject([
      { value: { bookId } },
      { reason: { code: 'SIGN_IN_REQUIRED' } },
      { value: { bookId } },
    ]);
    expect(await buyers()).toHaveLength(3);
  },
);
