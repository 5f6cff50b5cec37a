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

test('a query_timeout in the address of the database gives way to the limits of the store', async () => {
  const settings = await createSettings();
  const { db } = await forThisTest(openDatabase({ ...settings, url: `${settings.url}?query_timeout=50` }));

  await expect(sql`select pg_sleep(0.2)`.execute(db)).resolves.toBeDefined();
});

test('a cancellation that comes too late for its statement leaves the next one of the connection alone', async () => {
  const settings = await createSettings();
  const connection = await openCuttableConnection(settings.url);
  const limits = { connectTimeoutMs: 2_000, poolSize: 1, readTimeoutMs: 400, statementTimeoutMs: 60_000 };
  const { db } = await forThisTest(openDatabase({ ...settings, ...limits, url: connection.url }));
  const read = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);
  connection.faults.cancelDelayMs = 300;

  await read(0.55);

  await expect(read(0.3)).resolves.toBeDefined();
});

test('with a direct address nothing is prepared at the other one, and nothing is set there', async () => {
  const settings = await createSettings();
  const { db } = await forThisTest(openDatabase({ ...settings, directUrl: settings.url, poolSize: 1 }));
  await sql`select ${1}::int`.execute(db);

  const { rows } = await sql`
    select count(*) as prepared, current_setting('statement_timeout') as limit, current_setting('jit') as jit from pg_prepared_statements
  `.execute(db);
  expect(rows).toEqual([{ prepared: 0, limit: '0', jit: 'on' }]);
});

test('a connection prepares 1,000 statements at most, and executes the others all the same', async () => {
  const { db } = await forThisTest(openDatabase({ ...(await createSettings()), poolSize: 1 }));
  for (let number = 0; number < 1_100; number += 1)
    await sql`select ${number}::int as ${sql.id(`number_${number}`)}`.execute(db);

  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db);
  expect(rows[0]?.count).toBeGreaterThan(100);
  expect(rows[0]?.count).toBeLessThanOrEqual(1_000);
});
