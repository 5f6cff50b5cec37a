import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { DatabaseSettings } from '../database/open.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { forThisTest } from './ends-with-test.ts';
import { runStatements } from './postgres-server.ts';
import { canMountDisk, fillDisk, mountSmallDisk } from './small-disk.ts';
import { createStoreDatabase, isOnPostgres } from './test-database.ts';
import {
  beginSignIn,
  clientOf,
  finishSignIn,
  startTestProvider,
  type TestProvider,
} from './test-provider.ts';
import { emma, openTestStore, orderOf, type TestStore } from './test-store.ts';

type Line = { level: number; msg: string; kind?: string; refused?: number; status?: number };

let store: TestStore;
let provider: TestProvider;
const log: Line[] = [];
let breakWrites: () => Promise<unknown>;
let mendWrites: () => Promise<unknown>;

async function openStore(): Promise<void> {
  const database = isOnPostgres() ? await onReadOnlyServer() : await onSmallDisk();
  provider = await forThisTest(startTestProvider());
  store = await openTestStore({
    database,
    provider: clientOf(provider),
    onLog: (line) => log.push(JSON.parse(line)),
  });
  await addBook(store.database.db, emma, null);
}

/** A SQLite file on a disk that can be filled. */
async function onSmallDisk(): Promise<DatabaseSettings> {
  const folder = await mountSmallDisk(8);
  const file = join(folder, 'store.db');
  breakWrites = async () => {
    // The log was moved to the file, so it has room for writes.
    const sqlite = new DatabaseSync(file, { timeout: 5_000 });
    sqlite.exec('pragma wal_checkpoint(truncate)');
    sqlite.close();
    mendWrites = await fillDisk(folder);
  };
  return readDatabaseSettings({ DATABASE_URL: `sqlite:${file}` });
}

/** A PostgreSQL that takes no writes, as a standby. */
async function onReadOnlyServer(): Promise<DatabaseSettings> {
  const database = await createStoreDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const set = (clause: string) =>
    runStatements(
      inject('postgresUrl'),
      `alter database ${name} ${clause}`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  breakWrites = () => set('set default_transaction_read_only = on');
  mendWrites = () => set('reset default_transaction_read_only');
  return database.settings;
}

test.skipIf(!isOnPostgres() && !canMountDisk)(
  'while the database takes no writes, each write and /readyz get 503, and the log has one line for each reason; a sign-out leaves the browser its cookie, and succeeds when it is repeated',
  async () => {
    await openStore();
    const statusOf = async (path: string) => (await store.call(path)).status;
    const [here, tablet, phone] = [await store.signIn(), await store.signIn(), await store.signIn()];
    const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#a03020' } })
      .png()
      .toBuffer();
    const order = (key: string) =>
      store.call(paths.addOrder, {
        cookie: here,
        headers: { 'idempotency-key': key },
        json: orderOf(emma),
      });
    const upload = () => {
      const body = new FormData();
      body.set('image', new Blob([new Uint8Array(picture)]), 'a.png');
      return store.call(paths.upload, { method: 'POST', cookie: here, body });
    };
    const signOuts = async () => [
      await store.call(paths.signOut, { cookie: here, json: { everywhere: false } }),
      await store.call(paths.signOut, { cookie: tablet, json: { everywhere: true } }),
    ];
    const sessions = async () => {
      const responses = [here, tablet, phone].map((cookie) => store.call(paths.session, { cookie }));
      return await Promise.all((await Promise.all(responses)).map((response) => response.json()));
    };
    const begun = await beginSignIn(store, provider, `attempt=${randomUUID()}`);
    expect((await order('before')).status).toBe(201);
    expect(await statusOf(paths.readiness)).toBe(200);

    await breakWrites();
    const refusedSignOuts = await signOuts();
    const refused = [
      ...refusedSignOuts,
      ...[await order('one'), await order('two'), await upload(), await finishSignIn(store, begun)],
    ];
    const others = [paths.readiness, paths.readiness, paths.health, paths.books];
    const statuses = [];
    for (const path of others) statuses.push(await statusOf(path));
    await mendWrites();

    // A lost connection may have to be replaced first.
    await expect.poll(() => statusOf(paths.readiness)).toBe(200);
    expect(await sessions()).not.toContain(null);
    expect((await order('one')).status).toBe(201);
    expect((await signOuts()).map(({ status }) => status)).toEqual([204, 204]);
    expect(await sessions()).toEqual([null, null, null]);
    expect(refusedSignOuts.map(({ headers }) => headers.getSetCookie())).toEqual([[], []]);
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      refused.map(() => [503, '2']),
    );
    expect(statuses).toEqual([503, 503, 200, 200]);
    await store.app.close();
    const beginnings = log.filter(({ msg }) => msg === 'requests are refused');
    const ends = log.filter(({ msg }) => msg === 'requests are no longer refused');
    expect(new Set(beginnings.map(({ kind }) => kind)).size).toBe(beginnings.length);
    expect(ends.map(({ kind }) => kind).toSorted()).toEqual(beginnings.map(({ kind }) => kind).toSorted());
    expect(ends.reduce((sum, { refused: count = 0 }) => sum + count, 0)).toBeGreaterThanOrEqual(8);
    expect(log.filter(({ level }) => level >= 50)).toEqual([]);
    // The log has each change, even a refused one: its client may tell the shop its id.
    const requests = log.filter(({ msg }) => msg === 'request').map(({ status }) => status);
    expect(requests.toSorted()).toEqual([201, 201, 204, 204, 503, 503, 503, 503, 503]);
  },
);
