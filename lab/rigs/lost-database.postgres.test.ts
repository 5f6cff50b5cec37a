import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { screens } from '../../contract/paths.ts';
import { addBook } from '../../server/catalogue/books.ts';
import { openDatabase } from '../../server/database/open.ts';
import type { PostgresSettings } from '../../server/database/postgres/pools.ts';
import { type CuttableConnection, openCuttableConnection } from '../../server/testing/cuttable-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../server/testing/test-database.ts';
import { openTestStore, orderOf, reader, readJson, type TestStore } from '../../server/testing/test-store.ts';

const emma = {
  title: 'Emma',
  author: 'Jane Austen',
  image: 'https://covers.example/emma.jpg',
  priceCents: 1299,
};

let testDatabase: TestDatabase;
let connection: CuttableConnection;
let hasNotifications: boolean;
let store: TestStore;
let cookie: string;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  hasNotifications = true;
  connection = await openCuttableConnection(testDatabase.url, (data) =>
    hasNotifications ? data : withoutNotifications(data),
  );
  store = await openTestStore({
    database: {
      engine: 'postgres',
      url: connection.url,
      directUrl: undefined,
      poolSize: 4,
      connectTimeoutMs: 300,
      readTimeoutMs: 300,
      statementTimeoutMs: 300,
    },
    settings: { hasRateLimits: false },
  });
  await addBook(store.database.db, emma, null);
  cookie = await store.signIn();
  expect(await titles()).toEqual(['Emma']);
});
afterEach(async () => {
  await connection.restore();
  await store.close();
  await connection.close();
  await testDatabase.remove();
});

const titles = async () =>
  (await readJson<{ title: string }[]>(await store.call('/books'))).map(({ title }) => title);

const order = (key: string) =>
  store.call('/addOrder', { cookie, headers: { 'idempotency-key': key }, json: orderOf(emma) });

const countOrders = async () =>
  (await readJson<unknown[]>(await store.call(`/allOrder/${reader.email}`, { cookie }))).length;

const failures = {
  cut: () => connection.cut(),
  stall() {
    connection.faults.isStalled = true;
  },
};

test.each(['cut', 'stall'] as const)(
  'after a %s of the connection the first page is still sent, writes answer 503 with Retry-After, and the store recovers by itself',
  async (failure) => {
    await failures[failure]();

    expect(await titles()).toEqual(['Emma']);
    const refused = await order('one-key');
    expect(await readJson(refused, 503)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await store.call('/readyz')).status).toBe(503);
    expect((await store.call('/healthz')).status).toBe(200);
    expect(await titles()).toEqual(['Emma']);

    await connection.restore();

    await expect.poll(async () => (await store.call('/readyz')).status, { timeout: 5_000 }).toBe(200);
    await expect.poll(async () => (await order('one-key')).status, { timeout: 5_000 }).toBe(201);
    expect(await countOrders()).toBe(1);
  },
);

test.each(['cut', 'stall'] as const)(
  'after a %s of the connection the page of a book is sent without the book, and soon with it again',
  async (failure) => {
    const { id } = await addBook(store.database.db, emma, null);
    const titleOf = async () => {
      const response = await store.call(screens.checkout(id), { headers: { accept: 'text/html' } });
      return [response.status, /<title>(.*)<\/title>/.exec(await response.text())?.[1]];
    };
    expect(await titleOf()).toEqual([200, 'Emma by Jane Austen – Colophon']);

    await failures[failure]();
    expect(await titleOf()).toEqual([200, 'Check Out']);

    await connection.restore();
    await expect.poll(titleOf, { timeout: 5_000 }).toEqual([200, 'Emma by Jane Austen – Colophon']);
  },
);

test('a search that exceeds the limit for reads gets 503, and the first page and sessions are still served', async () => {
  const other = await openTestStore({ database: testDatabase.settings });
  await other.database.db.transaction().execute(async (db) => {
    await sql`lock table books in access exclusive mode`.execute(db);

    const refused = await store.call('/books?q=emma');
    expect(await readJson(refused, 503)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await titles()).toEqual(['Emma']);
    expect((await store.call('/auth/session', { cookie })).status).toBe(200);
  });
  await other.close();
});

/** @returns a store that waits for the database for longer than a test takes. */
const openPatientStore = async (changes: Partial<PostgresSettings> = {}): Promise<TestStore> => {
  const store = await openTestStore({
    database: {
      engine: 'postgres',
      url: connection.url,
      directUrl: undefined,
      poolSize: 10,
      connectTimeoutMs: 20_000,
      readTimeoutMs: 20_000,
      statementTimeoutMs: 20_000,
      ...changes,
    },
    settings: { hasRateLimits: false },
  });
  onTestFinished(() => store.close());
  return store;
};

test('the first page shows a change at once while searches hold all of their connections', async () => {
  const { database, call } = await openPatientStore();
  const held = Promise.withResolvers<void>();
  const searches = Array.from({ length: 40 }, () =>
    database.listDb.transaction().execute(() => held.promise),
  );
  await addBook(
    database.db,
    { title: 'Persuasion', author: 'Jane Austen', image: 'https://covers.example/p.jpg', priceCents: 1 },
    null,
  );
  database.catalogueVersion.recordLocalChange();

  const books = await readJson<{ title: string }[]>(await call('/books'));
  expect(books.map(({ title }) => title)).toEqual(['Persuasion', 'Emma']);
  held.resolve();
  await Promise.all(searches);
});

test('orders are placed soon after the network has lost all connections without a word', async () => {
  const patientStore = await openPatientStore({ readTimeoutMs: 600 });
  await Promise.all(
    Array.from({ length: 30 }, () => sql`select pg_sleep(0.05)`.execute(patientStore.database.db)),
  );
  connection.forget();

  const place = async () => {
    const headers = { 'idempotency-key': 'one-key' };
    return (await patientStore.call('/addOrder', { cookie, headers, json: orderOf(emma) })).status;
  };
  // Each connection that is lost fails one request.
  await expect.poll(place, { timeout: 20_000 }).toBe(201);
});

test('the log has a line for each idle connection that a cut breaks, and two for the listener', async () => {
  const errors: Error[] = [];
  const messages: string[] = [];
  const database = await openDatabase({ ...testDatabase.settings, url: connection.url } as PostgresSettings, {
    onError: (error) => errors.push(error),
    onListener: (message) => messages.push(message),
  });
  onTestFinished(() => database.close());
  await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.05)`.execute(database.db)));

  await connection.cut();
  const lost = 'changes of the catalogue are not announced: every page is loaded from the database';
  await expect.poll(() => messages).toEqual([lost]);
  await connection.restore();

  await expect.poll(() => messages).toEqual([lost, 'changes of the catalogue are announced again']);
  expect(errors.length).toBeGreaterThan(0);
});

test('a database that does not respond makes a node unready within two seconds, whatever the statement timeout', async () => {
  const patientStore = await openPatientStore();
  connection.faults.isStalled = true;

  const startedAt = performance.now();
  expect((await patientStore.call('/readyz')).status).toBe(503);
  expect(performance.now() - startedAt).toBeLessThan(2_000);

  await connection.cut();
  await connection.restore();
});

test('each of 300 orders during a stall gets a 503, and is placed once when it is retried', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
  connection.faults.isStalled = true;

  const refused = await Promise.all(keys.map(async (key) => (await order(key)).status));
  expect(new Set(refused)).toEqual(new Set([503]));

  await connection.restore();
  await expect.poll(async () => (await store.call('/readyz')).status, { timeout: 5_000 }).toBe(200);
  const [first = '', ...others] = keys;
  await expect.poll(async () => (await order(first)).status, { timeout: 10_000 }).toBe(201);
  // On a busy machine 299 simultaneous orders can exceed the timeouts, so each may be retried.
  const placeOrder = (key: string) =>
    expect.poll(async () => (await order(key)).status, { timeout: 20_000 }).toBe(201);
  await Promise.all(others.map(placeOrder));
  const rows = await store.database.db.selectFrom('orders').select('idempotency_key').execute();
  expect(rows.map((row) => row.idempotency_key).toSorted()).toEqual(keys.toSorted());
});

test('a change that was made while the listener was disconnected is visible as soon as the database responds', async () => {
  await connection.cut();
  expect(await titles()).toEqual(['Emma']);
  const other = await openTestStore({ database: testDatabase.settings });
  await addBook(
    other.database.db,
    { title: 'Persuasion', author: 'Jane Austen', image: 'https://covers.example/p.jpg', priceCents: 1 },
    null,
  );
  await other.close();

  await connection.restore();

  await expect.poll(titles, { timeout: 2_000 }).toEqual(['Persuasion', 'Emma']);
});

/** The type byte of a NotificationResponse (PostgreSQL's manual, Message Formats). */
const notificationType = 'A'.charCodeAt(0);

/**
 * Everything but PostgreSQL's notifications, as a pooler forwards it that lends connections per transaction.
 * @param data whole messages, as PostgreSQL sends small ones: a type byte, the length of the rest, the rest.
 */
function withoutNotifications(data: Buffer): Buffer {
  const forwarded: Buffer[] = [];
  for (let start = 0; start < data.length; ) {
    const end = start + 1 + data.readUInt32BE(start + 1);
    if (data[start] !== notificationType) forwarded.push(data.subarray(start, end));
    start = end;
  }
  return Buffer.concat(forwarded);
}

test('a change is visible even when the server answers every query and sends no notifications', async () => {
  await connection.cut();
  await connection.restore();
  hasNotifications = false;
  const other = await openTestStore({ database: testDatabase.settings });
  const listeners = () =>
    sql`
    select 1 from pg_stat_activity
    where datname = current_database() and state = 'idle' and query ~ '^(listen|select 1)'
  `.execute(other.database.db);
  await expect.poll(async () => (await listeners()).rows.length, { timeout: 5_000 }).toBe(2);

  for (const title of ['Persuasion', 'Sanditon', 'Lady Susan']) {
    const book = { title, author: 'Jane Austen', image: 'https://covers.example/x.jpg', priceCents: 1 };
    await addBook(other.database.db, book, null);
    await expect.poll(async () => (await titles())[0], { timeout: 2_000 }).toBe(title);
  }
  await other.close();
});

test('a connection that breaks between two statements of a transaction fails that transaction only', async () => {
  const { db } = store.database;

  await expect(
    db.transaction().execute(async (db) => {
      await db.selectFrom('books').select('id').execute();
      await connection.cut();
      await db.selectFrom('books').select('id').execute();
    }),
  ).rejects.toThrow();

  await connection.restore();
  await expect.poll(async () => (await store.call('/readyz')).status, { timeout: 5_000 }).toBe(200);
});
