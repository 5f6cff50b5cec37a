import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { createStoreDatabase } from '../server/testing/test-database.ts';
import { runShop } from './testing/shop.ts';

test('an export whose connection is terminated says so of the database, in one sentence', async () => {
  const folder = await makeFolder();
  const { url, open } = await createStoreDatabase();
  const { db } = await open();
  const transaction = await db.startTransaction().execute();
  await sql`lock table activity`.execute(transaction);

  const exported = runShop(['orders', 'export', join(folder, 'out')], { DATABASE_URL: url });
  const terminated = sql<{ isEnded: boolean }>`
    select pg_terminate_backend(pid) as "isEnded" from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `;
  await expect.poll(async () => (await terminated.execute(db)).rows, { timeout: 20_000 }).toHaveLength(1);

  const { stderr, exitCode } = await exported;
  expect(stderr).toMatch(/^DATABASE_URL: PostgreSQL at \S+ cannot be reached \(.*\)\.\n$/);
  expect({ exitCode, files: await readdir(folder) }).toEqual({ exitCode: 1, files: [] });
  await transaction.rollback().execute();
});
