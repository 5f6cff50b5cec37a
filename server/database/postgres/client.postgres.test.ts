import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openCuttableConnection } from '../../testing/cuttable-connection.ts';
import { forThisTest } from '../../testing/ends-with-test.ts';
import { oldBytes } from '../../testing/old-objects.ts';
import { createStoreDatabase } from '../../testing/test-database.ts';
import { openDatabase } from '../open.ts';

test('a query_timeout in the address of the database gives way to the limits of the store', async () => {
  const { settings } = await createStoreDatabase();
  if (settings.engine !== 'postgres') throw new Error('this is a test of PostgreSQL');
  const { db } = await forThisTest(openDatabase({ ...settings, url: `${settings.url}?query_timeout=50` }));

  await expect(sql`select pg_sleep(0.2)`.execute(db)).resolves.toBeDefined();
});

test('a cancellation that comes too late for its statement leaves the next one of the connection alone', async () => {
  const { settings } = await createStoreDatabase();
  if (settings.engine !== 'postgres') throw new Error('this is a test of PostgreSQL');
  const connection = await openCuttableConnection(settings.url);
  const limits = { poolSize: 1, readTimeoutMs: 500, statementTimeoutMs: 60_000 };
  const { db } = await forThisTest(openDatabase({ ...settings, ...limits, url: connection.url }));
  connection.delayCancels(300);

  await sql`select pg_sleep(0.6)`.execute(db);

  await expect(sql`select pg_sleep(0.4)`.execute(db)).resolves.toBeDefined();
});

test.each(['a read', 'a write'])(
  '%s leaves nothing that only a full collection of garbage frees',
  async (kind) => {
    const { db } = await forThisTest(openDatabase((await createStoreDatabase()).settings));
    const length = 20_000;
    const run = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        const text = randomBytes(length / 2).toString('hex');
        const statement =
          kind === 'a read' ? sql`select ${text}::text as echo` : sql`delete from words where word = ${text}`;
        await statement.execute(db);
      }
    };
    await run(50);
    const before = oldBytes();
    await run(500);
    expect(oldBytes() - before).toBeLessThan((500 * length) / 4);
  },
);
