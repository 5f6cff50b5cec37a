/** One case each of a lost and a late database, a pooler and a replica; lab/rigs has the others. */

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { openCuttableConnection } from './cuttable-connection.ts';
import { findFreePort } from './free-ports.ts';
import { hasPgBouncer, pgBouncerIsMissing, startPgBouncer } from './pgbouncer.ts';
import {
  createPostgresDatabase,
  runStatements,
  startPostgres,
  startReplicatedPostgres,
} from './postgres-server.ts';
import { externalProvider, startStore } from './store-process.ts';
import { createStoreDatabase } from './test-database.ts';
import { emma, emmaSent, openTestStore, orderOf, readJson, type TestStore } from './test-store.ts';

const titles = async (store: TestStore) =>
  (await readJson<{ title: string }[]>(await store.call(paths.books))).map(({ title }) => title);

const openStore = (settings: Readonly<Record<string, string>>) =>
  openTestStore({ database: readDatabaseSettings(settings) });
const createDatabase = async () => (await createStoreDatabase()).url;

test('a store that loses its database sends the first page, refuses an order with 503, and recovers by itself', async () => {
  const connection = await openCuttableConnection(await createDatabase());
  const store = await openStore({ DATABASE_URL: connection.url });
  await addBook(store.database.db, emma, null);
  const cookie = await store.signIn();
  expect(await titles(store)).toEqual(['Emma']);
  const order = async () => {
    const headers = { 'idempotency-key': 'one-key' };
    return (await store.call(paths.addOrder, { cookie, headers, json: orderOf(emma) })).status;
  };

  await connection.cut();
  expect([await titles(store), await order()]).toEqual([['Emma'], 503]);
  expect((await store.call(paths.readiness)).status).toBe(503);

  await connection.restore();
  await expect.poll(order).toBe(201);
  expect(await store.database.db.selectFrom('orders').select('id').execute()).toHaveLength(1);
});

test('a store waits for a server that starts after it', { timeout: 60_000 }, async () => {
  const port = await findFreePort();
  const starting = startStore({
    ...externalProvider,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
  });
  const server = await startPostgres({ port });
  onTestFinished(() => server.stop());

  const store = await starting;
  const { status } = await fetch(store.origin + paths.books);
  await store.stop();

  expect(status).toBe(200);
});

test('two stores behind a pooler of transactions hear of each other’s changes, and place an order once', async ({
  skip,
}) => {
  skip(!hasPgBouncer, pgBouncerIsMissing);
  const url = await createDatabase();
  const bouncer = await startPgBouncer(url, { mode: 'transaction', poolSize: 4 });
  onTestFinished(() => bouncer.stop());
  const settings = { DATABASE_URL: bouncer.urlOf(url), DATABASE_DIRECT_URL: url };
  const [one, other] = [await openStore(settings), await openStore(settings)];
  const cookie = await one.signIn();
  expect(await titles(other)).toEqual([]);

  expect((await one.call(paths.addBook, { cookie, json: emmaSent })).status).toBe(201);
  await expect.poll(() => titles(other), { timeout: 1_000, interval: 5 }).toEqual(['Emma']);
  const orders = Array.from({ length: 40 }, (_, index) =>
    (index % 2 === 0 ? one : other).call(paths.addOrder, {
      cookie,
      headers: { 'idempotency-key': 'one-key' },
      json: orderOf(emma),
    }),
  );
  for (const response of await Promise.all(orders)) expect(response.status).toBe(201);

  expect(await one.database.db.selectFrom('orders').select('id').execute()).toHaveLength(1);
});

test('lists go to a replica, and each has the addition before it, also while the replica lags', async () => {
  const { primary, replicas, stop } = await startReplicatedPostgres(1);
  onTestFinished(stop);
  const shop = await createPostgresDatabase(primary.url, 'shop');
  const replica = new URL('/shop', replicas[0]?.url);
  const { database } = await openStore({ DATABASE_URL: shop, DATABASE_READ_URLS: replica.href });
  const servingPort = async () => {
    const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.listDb);
    return String(rows[0]?.port);
  };
  const newest = () =>
    database.listDb.selectFrom('books').select('title').orderBy('seq', 'desc').executeTakeFirst();
  await expect.poll(servingPort, { interval: 20 }).toBe(replica.port);

  for (let number = 0; number < 20; number += 1) {
    if (number === 10) await runStatements(replicas[0]?.url ?? '', 'select pg_wal_replay_pause()');
    await addBook(database.db, { ...emma, title: `Book ${number}` }, null);
    database.catalogueVersion.recordLocalChange();
    expect(await newest()).toEqual({ title: `Book ${number}` });
  }
});
