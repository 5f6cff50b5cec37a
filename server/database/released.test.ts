/**
 * A small database of each release, of either engine, comes through: it is brought up to date, and the store responds for it as
 * that release did. fixtures/keep-database.ts keeps one.
 */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { indexBooks } from '../catalogue/index-books.ts';
import { checkDatabase } from '../operations/check/check-database.ts';
import { withdrawForShop } from '../orders/acts/change-order.ts';
import { signInProvider } from '../sign-in/provider.ts';
import { about, shopOf } from '../testing/acts.ts';
import { runStatements } from '../testing/postgres-server.ts';
import { createTestDatabase, setUpTestDatabase } from '../testing/test-database.ts';
import { openTestStore, orderOf, readJson, type TestStore } from '../testing/test-store.ts';
import type { Release } from './fixtures/keep-database.ts';
import { migrate } from './migrate.ts';
import * as migrations from './migrations/index.ts';
import { openDatabase } from './open.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
const releases = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const testDatabase = setUpTestDatabase(createTestDatabase);

/** Puts the release's database in place of the empty one, and sets when its sessions were used to now. */
async function openRelease(name: string): Promise<{ store: TestStore; release: Release }> {
  const folder = join(fixtures, name);
  const release: Release = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'));
  const { settings } = testDatabase;
  if (settings.engine === 'sqlite') {
    writeFileSync(settings.file, gunzipSync(readFileSync(join(folder, 'sqlite.gz'))));
  } else {
    await runStatements(settings.url, readFileSync(join(folder, 'postgres.sql'), 'utf8'));
  }
  const store = await openTestStore({
    database: settings,
    settings: { adminEmails: [release.admin] },
    provider: signInProvider({
      issuer: release.issuer,
      clientId: 'colophon',
      clientSecret: 'secret',
      callbackUrl: new URL(paths.signInCallback, 'http://localhost:3000'),
    }),
  });
  const now = Date.now();
  await store.database.db.updateTable('sessions').set({ created_at: now, last_seen_at: now }).execute();
  await indexBooks(store.database.db);
  return { store, release };
}

test('a database of this version is kept', () => {
  expect(releases).toContain(version);
});

const unsorted = (response: { path: string; body?: unknown }) =>
  response.path === `${paths.books}?sort=title`
    ? {
        ...response,
        body: (response.body as Book[]).toSorted((one, other) => (one._id < other._id ? -1 : 1)),
      }
    : response;

describe.each(releases)('a database of %s', (name) => {
  test('has its books, search, orders, sessions and images, and sells on', async () => {
    const { store, release } = await openRelease(name);

    const responses = [];
    for (const { path, cookie, digest } of release.requests) {
      const response = await store.call(path, cookie === undefined ? {} : { cookie });
      const bytes = Buffer.from(await response.arrayBuffer());
      responses.push({
        path,
        status: response.status,
        ...(digest === undefined
          ? { body: JSON.parse(bytes.toString()) }
          : { digest: hash('sha256', bytes) }),
      });
    }
    expect(release.requests.length).toBeGreaterThan(10);
    // A later version may add fields, and leaves out the articles of titles where it sorts them.
    expect(responses.map(unsorted)).toMatchObject(
      release.requests.map(({ cookie, ...request }) => unsorted(request)),
    );

    const { cookie, idempotencyKey, order, orderId } = release.buyer;
    const session = release.requests.find(({ path }) => path === paths.session)?.body as { email: string };
    const buy = (key: string, time: string) =>
      store.call(paths.addOrder, {
        json: { ...orderOf(order, session.email), time },
        cookie,
        headers: { 'idempotency-key': key },
      });
    const repeated = await readJson<Order>(await buy(idempotencyKey, order.time), 201);
    const another = await readJson<Order>(await buy('another-key', new Date().toDateString()), 201);
    expect(repeated._id).toBe(orderId);
    expect(another._id).not.toBe(orderId);
    const withdraw = async ({ _id }: Order) =>
      (await store.call(withdrawalPaths.order(_id), { method: 'POST', cookie })).status;
    // An order of an older version keeps no days: its buyer has no button, and the owner withdraws it.
    const withdrawn = [await withdraw(repeated), await withdraw(another)];
    expect([repeated.withdrawUntil, ...withdrawn]).toEqual([undefined, 409, 200]);
    await withdrawForShop.run(shopOf(store.database.db), about(orderId));

    const findings = await Array.fromAsync(checkDatabase(store.database.db, () => {}));
    expect(findings.length).toBeGreaterThan(4);
    expect(findings.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

test('a running node goes on while a newer one adds tables, columns that may be null, and indexes', async () => {
  const database = testDatabase.settings;
  const store = await openTestStore({ database });
  const emma = { title: 'Emma', author: 'Jane Austen', image: 'https://covers.example/emma.jpg' };
  const add = (title: string, cookie: string) =>
    store.call(paths.addBook, { json: { ...emma, title, price: { value: '12.99' } }, cookie });
  const visit = async (title: string) => {
    const cookie = await store.signIn();
    const order = orderOf({ ...emma, title, priceCents: 1299 });
    const added = await add(title, cookie);
    const found = await store.call(`${paths.books}?q=${title}`);
    const bought = await store.call(paths.addOrder, { json: order, cookie });
    const orders = await store.call(paths.allOrder(order.email), { cookie });
    return [added.status, found.status, bought.status, orders.status, await orders.json()];
  };
  const before = await visit('Emma');

  const newer = await openDatabase(database);
  await migrate(newer.db, {
    ...migrations,
    '9999-newer': {
      async up(db) {
        await db.schema.createTable('notes').addColumn('id', 'integer').execute();
        for (const table of ['books', 'orders', 'customers', 'sessions']) {
          await db.schema.alterTable(table).addColumn('later', 'text').execute();
          await db.schema.createIndex(`${table}_later`).on(table).column('later').execute();
        }
      },
    },
  });
  await newer.close();
  const after = await visit('Persuasion');

  expect(before.slice(0, 4)).toEqual([201, 200, 201, 200]);
  expect(after.slice(0, 4)).toEqual([201, 200, 201, 200]);
  expect(after[4]).toHaveLength(2);
});
