import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { openCuttableConnection } from '../../server/testing/cuttable-connection.ts';
import { createTestDatabase } from '../../server/testing/test-database.ts';
import { runScript } from '../test/run-script.ts';

test.each(['reset', 'terminated'])(
  'an export whose connection is %s says so of the database, in one sentence',
  async (how) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
    const testDatabase = await createTestDatabase();
    const { db, close } = await openDatabase(testDatabase.settings);
    const connection = await openCuttableConnection(testDatabase.url);
    const transaction = await db.startTransaction().execute();
    await sql`lock table activity`.execute(transaction);

    const exported = runScript('shop', ['orders', 'export', join(folder, 'out')], {
      DATABASE_URL: connection.url,
    });
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
    await close();
    await connection.close();
    await testDatabase.remove();
    await rm(folder, { recursive: true });
  },
);
