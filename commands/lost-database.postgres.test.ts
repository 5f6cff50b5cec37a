import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openCuttableConnection } from '../server/testing/cuttable-connection.ts';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { createStoreDatabase } from '../server/testing/test-database.ts';
import { runShop } from './testing/shop.ts';

test.each(['reset', 'terminated'])(
  'an export whose connection is %s says so of the database, in one sentence',
  async (how) => {
    const folder = await makeFolder();
    const { url, open } = await createStoreDatabase();
    const { db } = await open();
    const connection = await openCuttableConnection(url);
    const transaction = await db.startTransaction().execute();
    await sql`lock table activity`.execute(transaction);

    const exported = runShop(['orders', 'export', join(folder, 'out')], { DATABASE_URL: connection.url });
    const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
    await expect.poll(async () => (await waiting.execute(db)).rows, { timeout: 20_000 }).toHaveLength(1);
    const [{ pid = 0 } = {}] = (await waiting.execute(db)).rows;
    if (how === 'reset') await connection.cut();
    else await sql`select pg_terminate_backend(${pid}::int)`.execute(db);

    const { stderr, exitCode } = await exported;
    expect(stderr).toMatch(/^DATABASE_URL: PostgreSQL at \S+ cannot be reached \(.*\)\.\n$/);
    expect({ exitCode, files: await readdir(folder) }).toEqual({ exitCode: 1, files: [] });
    await transaction.rollback().execute();
  },
);
