import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { runShop } from '../../commands/testing/shop.ts';
import type { Book } from '../../contract/book.ts';
import { openDatabase } from '../../server/database/open.ts';
import { openErrorMessage } from '../../server/database/open-error.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { openCuttableConnection } from '../../server/testing/cuttable-connection.ts';
import { makeFolder } from '../../server/testing/ends-with-test.ts';
import { runStatements } from '../../server/testing/postgres-server.ts';
import { externalProvider, failToStartStore } from '../../server/testing/server-process.ts';
import {
  createStoreDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../server/testing/test-database.ts';
import { openTestStore, orderOf, readJson, type TestStore } from '../../server/testing/test-store.ts';
import { hasPgBouncer, type PgBouncer, pgBouncerIsMissing, startPgBouncer } from './pgbouncer.ts';

beforeEach(({ skip }) => skip(!hasPgBouncer, pgBouncerIsMissing));

const book = (title: string) => ({
  title,
  author: 'Jane Austen',
  image: 'https://covers.example/emma.jpg',
  price: { value: '12.99' },
});

/** Calls `work` for 0 to count - 1, sixteen at a time. */
async function sixteenAtATime(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}

describe('two nodes behind PgBouncer in transaction mode', () => {
  let testDatabase: TestDatabase;
  let bouncer: PgBouncer;
  let nodes: [TestStore, TestStore];
  let cookie: string;
  const settings = (more: Readonly<Record<string, string>> = {}) =>
    readDatabaseSettings({
      DATABASE_URL: bouncer.urlOf(testDatabase.url),
      DATABASE_DIRECT_URL: testDatabase.url,
      ...more,
    });
  const openNode = (more?: Readonly<Record<string, string>>) =>
    openTestStore({ database: settings(more), settings: { hasRateLimits: false } });
  beforeAll(async () => {
    if (!hasPgBouncer) return;
    testDatabase = await createTestDatabase();
    bouncer = await startPgBouncer(testDatabase.url, { poolSize: 8 });
    nodes = await Promise.all([openNode(), openNode()]);
    cookie = await nodes[0].signIn();
  });
  afterAll(async () => {
    if (!hasPgBouncer) return;
    await Promise.all(nodes.map((node) => node.close()));
    await bouncer.stop();
    await testDatabase.remove();
  });
  const nodeOf = (index: number) => (index % 2 === 0 ? nodes[0] : nodes[1]);

  test('place, add, delete, restore, search and sign in a thousand times each, and nothing fails', {
    timeout: 180_000,
  }, async () => {
    const ids: string[] = [];
    await sixteenAtATime(1_000, async (index) => {
      const response = await nodeOf(index).call('/addBook', { cookie, json: book(`Book ${index}`) });
      ids[index] = (await readJson<Book>(response, 201))._id;
    });
    await sixteenAtATime(1_000, async (index) => {
      const node = nodeOf(index);
      const email = `customer-${index}@example.com`;
      const own = await node.signIn({ sub: `customer-${index}`, email });
      const session = await node.call('/auth/session', { cookie: own });
      expect(await readJson(session)).toMatchObject({ email });
      const found = await node.call(`/books?q=austen+${index}&sort=title`);
      expect(await readJson<Book[]>(found)).not.toEqual([]);
      const json = orderOf({ title: `Book ${index}`, author: 'Jane Austen', priceCents: 1299 }, email);
      const headers = { 'idempotency-key': randomUUID() };
      await readJson(await node.call('/addOrder', { cookie: own, json, headers }), 201);
      await readJson(await node.call(`/deleteBook/${ids[index]}`, { method: 'DELETE', cookie }));
      await readJson(await node.call(`/restoreBook/${ids[index]}`, { method: 'POST', cookie }));
    });

    const { db } = nodes[0].database;
    expect(await db.selectFrom('orders').select('id').execute()).toHaveLength(1_000);
    const forSale = db.selectFrom('books').select('id').where('removed_at', 'is', null);
    expect(await forSale.execute()).toHaveLength(1_000);
  });

  test('are notified of each other’s changes', async () => {
    for (let index = 0; index < 20; index += 1) {
      const response = await nodes[0].call('/addBook', { cookie, json: book(`Heard of ${index}`) });
      const { _id } = await readJson<Book>(response, 201);

      await expect
        .poll(async () => (await readJson<Book[]>(await nodes[1].call('/books')))[0]?._id, {
          timeout: 1_000,
          interval: 5,
        })
        .toBe(_id);
    }
    expect(nodes[1].database.catalogueVersion.version()).not.toBeNaN();
  });

  test('give up a statement at its time limit, and go on', async () => {
    const node = await openNode({ DATABASE_STATEMENT_TIMEOUT_MS: '300' });

    await expect(
      sql`create table slept as select 1 from pg_sleep(20)`.execute(node.database.db),
    ).rejects.toThrow('Query read timeout');

    expect((await node.call('/readyz')).status).toBe(200);
    await node.close();
  });

  test('replace a connection without a response soon after the limit of a read', async () => {
    const connection = await openCuttableConnection(bouncer.urlOf(testDatabase.url));
    onTestFinished(() => connection.close());
    const node = await openNode({
      DATABASE_URL: connection.url,
      DATABASE_POOL_SIZE: '1',
      DATABASE_READ_TIMEOUT_MS: '500',
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
    });
    const { db } = node.database;
    await sql`select 1`.execute(db);
    connection.forget();

    await expect(sql`select 1`.execute(db)).rejects.toThrow('Query read timeout');
    await expect(sql`select 1`.execute(db)).resolves.toBeDefined();
    await node.close();
  });

  test('leave the sessions of the pooler as they were for its other clients', async () => {
    const clients = Array.from(
      { length: 8 },
      () => new pg.Client({ connectionString: bouncer.urlOf(testDatabase.url) }),
    );
    for (const client of clients) {
      await client.connect();
      await client.query('begin');
    }

    const limits = clients.map(async (client) => {
      const { rows } = await client.query('show statement_timeout');
      return rows[0].statement_timeout;
    });
    expect(new Set(await Promise.all(limits))).toEqual(new Set(['0']));
    await Promise.all(clients.map((client) => client.end()));
  });
});

describe('a store whose direct address is wrong exits with one sentence', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
  });
  afterAll(() => testDatabase.remove());
  const startError = async (directUrl: string) => {
    const bouncer = await startPgBouncer(testDatabase.url);
    const settings = { DATABASE_URL: bouncer.urlOf(testDatabase.url), DATABASE_DIRECT_URL: directUrl };
    const { exitCode, stderr } = await failToStartStore({ ...externalProvider, ...settings }).finally(() =>
      bouncer.stop(),
    );
    expect(exitCode).toBe(1);
    return stderr.replaceAll(new URL(inject('postgresUrl')).host, 'server');
  };

  test('when it names another database', async () => {
    const other = await createTestDatabase();
    expect(await startError(other.url)).toBe(
      'DATABASE_DIRECT_URL: names another database than DATABASE_URL.\n',
    );
    await other.remove();
  });

  test('when it cannot be used', async () => {
    expect(await startError(new URL('/missing', testDatabase.url).href)).toBe(
      'DATABASE_DIRECT_URL: PostgreSQL at server has no database "missing".\n',
    );
  });
});

test('a default such as synchronous_commit, which cannot be changed behind a pooler, is refused', async () => {
  const { url } = await createStoreDatabase();
  await runStatements(
    inject('postgresUrl'),
    `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
  );
  const pgBouncer = await startPgBouncer(url);
  onTestFinished(pgBouncer.stop);
  const settings = readDatabaseSettings({ DATABASE_URL: pgBouncer.urlOf(url), DATABASE_DIRECT_URL: url });

  const fault = await openDatabase(settings).catch((error) => openErrorMessage(error, settings));

  expect(fault).toMatch(
    / has synchronous_commit=off by default, which the store cannot change behind a pooler: set it to on for the role or the database\.$/,
  );
});

test('before a restore the connections that PgBouncer keeps of a stopped node count, and go with its RECONNECT', async () => {
  const { url } = await createStoreDatabase();
  const backup = join(await makeFolder(), 'backup');
  const shop = (...args: string[]) => runShop(['database', ...args], { DATABASE_URL: url });
  expect(await shop('backup', backup)).toMatchObject({ exitCode: 0 });
  const pgBouncer = await startPgBouncer(url);
  onTestFinished(pgBouncer.stop);
  const query = async (pathname: string, text: string) => {
    const address = Object.assign(new URL(pgBouncer.urlOf(url)), pathname && { pathname });
    const client = new pg.Client({ connectionString: address.href, application_name: 'colophon' });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await query('', 'select 1');

  const refused = await shop('restore', backup, '--force');
  await query('pgbouncer', 'reconnect');

  expect(refused).toMatchObject({ stdout: '', exitCode: 1 });
  expect(refused.stderr).toMatch(
    /is in use: stop all nodes of the store first, and let a pooler close its connections/,
  );
  await expect.poll(() => shop('restore', backup, '--force')).toMatchObject({ exitCode: 0 });
});
