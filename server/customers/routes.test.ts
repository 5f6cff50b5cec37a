import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskCustomer } from '../../contract/desk/customers.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { listActivity, recordActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import type { Tables } from '../database/tables.ts';
import type { Identity } from '../sign-in/identity.ts';
import { startSession } from '../sign-in/sessions.ts';
import { customerIdOf } from '../testing/orders.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import {
  emma,
  openTestStore,
  orderOf,
  reader,
  readJson,
  setUpTestStore,
  type TestStore,
} from '../testing/test-store.ts';
import { sweepErasures } from './erase-customer.ts';

const admin = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };
const person = {
  sub: 'zdenka-4711',
  email: 'Zdenka.Unmistakable@example.com',
  name: 'Zdenka Nezaměnitelná',
  photo: 'https://photos.example/zdenka-4711.jpg',
};
/** Words that nothing in the store may contain after an erasure. */
const traces = /zdenka|unmistakable|nezam/i;

const settings = { adminEmails: [admin.email], hasRateLimits: false };
const shared = setUpTestStore({ settings });
let store: TestStore;
let cookie: string;
beforeEach(() => enter(shared));
async function enter(entered: TestStore): Promise<void> {
  store = entered;
  cookie = await store.signIn(admin);
  await addBook(store.database.db, emma, null);
}

const idOf = (sub?: string) => customerIdOf(store.database.db, sub);
/** Signs the person in. */
async function signIn(identity: Partial<Identity> = person) {
  const session = await store.signIn(identity);
  return { session, id: await idOf(identity.sub) };
}
const buy = (session: string, email = person.email, key = 'key-zdenka') =>
  store.call(paths.addOrder, {
    cookie: session,
    json: orderOf(emma, email),
    headers: { 'idempotency-key': key },
  });
const find = async (email: string) =>
  readJson<DeskCustomer[]>(
    await store.call(`${deskPaths.customers}?email=${encodeURIComponent(email)}`, { cookie }),
  );
const get = (path: string) => store.call(path, { cookie });
const post = (path: string) => store.call(path, { method: 'POST', cookie });
const session = async (of: string) => await (await store.call(paths.session, { cookie: of })).json();
const trail = async () => (await listActivity(store.database.db, { limit: 100 })).entries;

describe('GET /desk/api/customers', () => {
  const emailsOf = async (query: Record<string, string>) => {
    const response = await store.call(`${deskPaths.customers}?${new URLSearchParams(query)}`, { cookie });
    return (await readJson<DeskCustomer[]>(response)).map(({ email }) => email);
  };

  test('finds an e-mail whatever the case, or its start, with what the customer bought', async () => {
    const { session, id } = await signIn();
    await buy(session, person.email, 'one');
    await buy(session, person.email, 'two');
    await signIn({ ...person, issuer: 'https://other.example' });
    await signIn({ sub: 'z2', email: 'zdenka@example.com' });

    expect(await find('ZDENKA.unmistakable@EXAMPLE.com')).toMatchObject([
      { _id: id, orders: 2, revenue: 25.98, lastSeenAt: expect.stringMatching(/Z$/) },
      { orders: 0, photo: person.photo },
    ]);
    const emails = [person.email, person.email, 'zdenka@example.com'];
    expect((await find('zdenka')).map(({ email }) => email)).toEqual(emails);
    for (const email of ['denka', 'zdenka%']) expect(await find(email)).toEqual([]);
  });

  test('finds the beginning of a name or of its last word, and an id; with `spelling=similar` similar names too', async () => {
    const { id } = await signIn({ sub: 'lovelace', email: 'a@example.com', name: 'Ada King Łovelace_' });
    await signIn({ sub: 'other', email: 'b@example.com', name: 'Łucja' });
    for (const q of ['ada k', 'ADA KING ', 'ŁoveLACE', id, id.toUpperCase()])
      expect([q, await emailsOf({ q })]).toEqual([q, ['a@example.com']]);
    for (const q of ['king', 'lovelace', 'Łovelacex', 'ada%', crypto.randomUUID()])
      expect([q, await emailsOf({ q })]).toEqual([q, []]);
    for (const q of ['ada lovelaec', 'Lovelac', 'kinglovelace', 'lovelace ada'])
      expect([q, await emailsOf({ q, spelling: 'similar' })]).toEqual([q, ['a@example.com']]);
    for (const q of ['c@example.com', 'ada melbourne'])
      expect([q, await emailsOf({ q, spelling: 'similar' })]).toEqual([q, []]);
  });

  test('gives at most 50, and refuses less than three characters', async () => {
    for (let index = 0; index < 51; index += 1)
      await signIn({ sub: `s${index}`, email: `same${index}@example.com` });

    expect(await find('same')).toHaveLength(50);
    for (const [query, field] of [
      ['', 'q'],
      ['?email=ab', 'email'],
    ]) {
      const { errors } = await readJson<ProblemBody>(await get(deskPaths.customers + query), 400);
      expect(errors?.[0]?.field).toBe(field);
    }
  });
});

test('an export has everything about one customer, and no secret; HEAD exports nothing', async () => {
  const { db } = store.database;
  const { session, id } = await signIn();
  await buy(session);
  await post(deskPaths.customerBlock(id));
  await post(deskPaths.customerUnblock(id));
  const again = await signIn();
  await db
    .insertInto('images')
    .values({ id: 'a'.repeat(32), width: 1, height: 1, created_at: 1, uploaded_by: id })
    .execute();

  await store.call(deskPaths.customerExport(id), { method: 'HEAD', cookie });
  const response = await get(deskPaths.customerExport(id));

  // The file's name has the id, because logs of proxies and folders of downloads must not have an e-mail.
  expect(response.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="customer-${id}-\\d{4}-\\d{2}-\\d{2}\\.json"$`),
  );
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  const at = expect.stringMatching(/Z$/);
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({
    customer: {
      _id: id,
      issuer: reader.issuer,
      subject: person.sub,
      email: person.email,
      isEmailVerified: true,
      name: person.name,
      photo: person.photo,
      createdAt: at,
      blockedAt: null,
    },
    sessions: [
      {
        ...{ createdAt: at, lastSeenAt: at, issuer: expect.any(String) },
        ...{ providerSession: null, adminClaim: null, deliveryAddress: null },
      },
    ],
    images: [{ address: `/images/${'a'.repeat(32)}.webp`, createdAt: '1970-01-01T00:00:00.001Z' }],
    orders: [
      {
        ...{ _id: expect.any(String), bookId: expect.any(String), title: 'Emma', author: 'Jane Austen' },
        ...{ price: 12.99, time: new Date().toDateString(), placedAt: at, sentAt: null, state: 'new' },
        ...{ tracking: null, deliveryAddress: null, addressCorrectedAt: null },
        ...{ withdrawnAt: null, withdrawnBy: null },
        ...{ withdrawalReason: null, refundedAt: null, returnedAt: null, cancelledAt: null, note: null },
        ...{ number: expect.any(String), currency: 'USD', total: 12.99 },
        buyer: { _id: id, name: person.name, email: person.email },
      },
    ],
    activity: [
      { at, action: 'customer-blocked', details: null },
      { at, action: 'customer-unblocked', details: null },
      { at, action: 'customer-exported', details: null },
    ],
  });
  const rows = await db.selectFrom('sessions').select('id_hash').where('customer_id', '=', id).execute();
  for (const { id_hash } of rows) expect(text).not.toContain(id_hash);
  expect(text).not.toContain(again.session.split('=')[1]);
  expect(text).not.toContain(admin.email);
  expect((await trail())[0]).toMatchObject({ action: 'customer-exported', subject: id, details: null });
});

test('a sign-out ends all sessions of the customer and of nobody else, and is in the trail once', async () => {
  const [first, second] = [await signIn(), await signIn()];
  const other = await signIn({ sub: 'other', email: 'other@example.com' });
  const signOut = async () => await readJson(await post(deskPaths.customerSignOut(first.id)));

  const [ended, again] = [await signOut(), await signOut()];

  expect([ended, again]).toEqual([{ sessions: 2 }, { sessions: 0 }]);
  const sessions = await Promise.all([first, second, other].map((one) => session(one.session)));
  expect(sessions).toEqual([null, null, expect.anything()]);
  const entry = { action: 'customer-signed-out', subject: first.id, details: { sessions: 2 } };
  expect(await trail()).toMatchObject([{ ...entry, email: admin.email }]);
});

test('a blocked customer is signed out, cannot sign in, and can again after the block', async () => {
  const begin = () =>
    startSession(store.database.db, { ...reader, ...person }, { providerIssuer: 'http://127.0.0.1:1' });
  const { session: before, id } = await signIn();

  const blocked = await readJson<DeskCustomer>(await post(deskPaths.customerBlock(id)));
  await post(deskPaths.customerBlock(id));

  expect(blocked).toMatchObject({ _id: id, isBlocked: true, lastSeenAt: null });
  expect(await session(before)).toBeNull();
  await expect(begin()).rejects.toMatchObject({ outcome: 'blocked_customer' });
  await post(deskPaths.customerUnblock(id));
  await begin();
  const actions = ['customer-unblocked', 'customer-blocked'];
  expect(await trail()).toMatchObject(actions.map((action) => ({ action, subject: id })));
});

describe('an erased customer', () => {
  /** Every row of the database, as text. */
  async function everything(): Promise<string> {
    const { db } = store.database;
    const own: (keyof Tables)[] = ['activity', 'sign_in_attempts', 'books', 'customers', 'images', 'orders'];
    const others = ['image_renditions', 'sessions', 'tokens'] as const;
    const rows = [...own, ...others].map((table) => db.selectFrom(table).selectAll().execute());
    return JSON.stringify(await Promise.all(rows));
  }

  test('leaves no trace in a table, in the files of SQLite, in the log or in an export', async () => {
    const { settings: database } = await createStoreDatabase();
    const logged: string[] = [];
    const onLog = (line: string) => void logged.push(line);
    await enter(await openTestStore({ database, settings, onLog, logLevel: 'trace' }));
    const { db } = store.database;
    // The customer is also an admin, whose name and address the trail has.
    const { session: theirs, id } = await signIn();
    const address = '203.0.113.77';
    const actor = { customerId: id, email: person.email, address };
    await recordActivity(db, 'book-edited', actor, { book: { id: 'b1', title: 'Emma' } });
    await readJson(await buy(theirs), 201);
    await find(person.email);
    await (await store.call(deskPaths.customerExport(id), { cookie })).text();
    expect(await everything()).toMatch(traces);

    for (const orders of [1, 0])
      expect(await readJson(await post(deskPaths.customerErase(id)))).toEqual({ erased: true, orders });

    expect(await session(theirs)).toBeNull();
    const rows = await everything();
    expect(rows).not.toMatch(traces);
    expect(rows).not.toContain(address);
    expect(await find('zdenka')).toEqual([]);
    const exported = await (await store.call(deskPaths.ordersExport, { cookie })).text();
    expect(exported).not.toMatch(traces);
    expect(exported).toContain('Emma,Jane Austen,12.99,,,');
    const kept = { customer_id: id, title: 'Emma', price_cents: 1299 };
    const gone = { buyer_name: '', buyer_email: '', request_hash: null };
    expect(await db.selectFrom('orders').selectAll().execute()).toMatchObject([{ ...kept, ...gone }]);
    const entries = (await trail()).filter(({ action }) => action === 'customer-erased');
    expect(entries).toMatchObject([{ subject: id, details: null, email: admin.email }]);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join()).not.toMatch(traces);
    if (database.engine === 'postgres') return;
    for (const name of [database.file, `${database.file}-wal`])
      expect((await readFile(name)).toString()).not.toMatch(traces);
  });

  test('is a new customer after the next sign-in, without the old orders', async () => {
    const before = await signIn();
    await buy(before.session);
    await post(deskPaths.customerErase(before.id));

    const after = await signIn();

    expect(after.id).not.toBe(before.id);
    const mine = await store.call(paths.allOrder(person.email), { cookie: after.session });
    expect(await readJson(mine)).toEqual([]);
  });

  test('loses the person in an order that arrives late, with the next sweep', async () => {
    const { db } = store.database;
    const { session: theirs, id } = await signIn();
    await buy(theirs);
    await post(deskPaths.customerErase(id));
    await db.updateTable('orders').set({ buyer_name: person.name, buyer_email: person.email }).execute();

    await sweepErasures(db);

    expect(await everything()).not.toMatch(traces);
  });
});
