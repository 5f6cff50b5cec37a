import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { setUpTestDatabase } from '../testing/test-database.ts';
import { batchedQuery } from './batched-query.ts';

const testDatabase = setUpTestDatabase();

test('a lost batch does not fail calls that wait behind others, while only some batches are stuck', async () => {
  const { db } = await testDatabase.open();
  const { db: other } = await testDatabase.open();
  const insertKey = batchedQuery({
    columns: { id: 'text' },
    key: 'id',
    build: (db, items) =>
      db
        .insertInto('attempt_keys')
        .columns(['id', 'secret', 'created_at'])
        .expression((keys) =>
          keys.selectFrom(items).select(['id', sql`''`.as('secret'), sql`1`.as('created_at')]),
        )
        .returning('id'),
  });
  const call = (id: string) => insertKey(db, { id }).then((row) => row?.id, String);
  /** Waits until so many batches have waited for the lock, the first for so many seconds. @returns the first one's process. */
  const untilBatchesWait = async (count: number, seconds = 0): Promise<number> => {
    let first = 0;
    await expect
      .poll(
        async () => {
          const { rows } = await sql<{ pid: number; seconds: number }>`
            select pid, extract(epoch from clock_timestamp() - query_start)::float8 as seconds from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' order by query_start
          `.execute(other);
          first = rows[0]?.pid ?? 0;
          return rows.length === count && (rows[0]?.seconds ?? 0) >= seconds;
        },
        { interval: 5 },
      )
      .toBe(true);
    return first;
  };

  const calls = await other.transaction().execute(async (holder) => {
    await sql`lock table attempt_keys in access exclusive mode`.execute(holder);
    const lost = call('lost');
    // After half a second it is stuck, and others are sent.
    const firstProcess = await untilBatchesWait(1, 0.7);
    const second = call('second');
    await untilBatchesWait(2);
    const third = call('third');
    await untilBatchesWait(3);
    // It is not sent before one of these has ended, or is stuck too.
    const waiting = call('waiting');
    await sql`select pg_terminate_backend(${firstProcess})`.execute(holder);
    await lost;
    return [lost, second, third, waiting];
  });

  expect(await Promise.all(calls)).toEqual([
    expect.stringContaining('terminating connection'),
    'second',
    'third',
    'waiting',
  ]);
});
