import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openCuttableConnection } from '../../testing/cuttable-connection.ts';
import { forThisTest } from '../../testing/ends-with-test.ts';
import { createStoreDatabase } from '../../testing/test-database.ts';
import { openDatabase } from '../open.ts';
import type { PostgresSettings } from './client.ts';

async function createSettings(): Promise<PostgresSettings> {
  const { settings } = await createStoreDatabase();
  if (settings.engine !== 'postgres') throw new Error('this is a test of PostgreSQL');
  return settings;
}

/** Opens a database with one connection, over which each read is cancelled after a second. */
async function openBehindProxy({ connectTimeoutMs = 2_000 } = {}) {
  const settings = await createSettings();
  const connection = await openCuttableConnection(settings.url);
  const limits = { connectTimeoutMs, poolSize: 1, readTimeoutMs: 1_000, statementTimeoutMs: 60_000 };
  const { db } = await forThisTest(openDatabase({ ...settings, ...limits, url: connection.url }));
  const read = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);
  return { connection, read };
}

test('a query_timeout in the address of the database gives way to the limits of the store', async () => {
  const settings = await createSettings();
  const { db } = await forThisTest(openDatabase({ ...settings, url: `${settings.url}?query_timeout=50` }));

  await expect(sql`select pg_sleep(0.2)`.execute(db)).resolves.toBeDefined();
});

test('a cancellation that comes too late for its statement leaves the next one of the connection alone', async () => {
  const { connection, read } = await openBehindProxy();
  connection.delayCancels(600);

  await read(1.3);

  await expect(read(0.6)).resolves.toBeDefined();
});

test('a read keeps the response that came while its cancellation is on its way, and ends its connection', async () => {
  const { connection, read } = await openBehindProxy();
  connection.delayCancels(60_000);

  await expect(read(1.3)).resolves.toBeDefined();

  await expect(read(0)).resolves.toBeDefined();
});

test('a cancellation that was given up, and arrives all the same, leaves the next statement alone', async () => {
  const { connection, read } = await openBehindProxy({ connectTimeoutMs: 300 });
  connection.delayCancels(600);

  await read(1.2);

  await expect(read(0.8)).resolves.toBeDefined();
});

test('a connection prepares 1,000 statements at most, and executes the others all the same', async () => {
  const settings = { ...(await createSettings()), poolSize: 1 };
  const { db } = await forThisTest(openDatabase(settings));

  for (let number = 0; number < 1_100; number += 1) {
    const { rows } = await sql`select ${number}::int as ${sql.id(`number_${number}`)}`.execute(db);
    expect(rows).toEqual([{ [`number_${number}`]: number }]);
  }

  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db);
  expect(rows[0]?.count).toBeGreaterThan(100);
  expect(rows[0]?.count).toBeLessThanOrEqual(1_000);
});

test.each(['a read', 'a write'])(
  '%s leaves nothing that only a full collection of garbage frees',
  async (kind) => {
    const script = join(import.meta.dirname, '..', '..', 'testing', 'old-bytes-of-statements.ts');
    const [count, length] = [500, 20_000];
    const args = [script, JSON.stringify(await createSettings()), kind, String(count), String(length)];

    const { stdout } = await promisify(execFile)(process.execPath, args);

    expect(Number(stdout)).toBeLessThan((count * length) / 4);
  },
);
