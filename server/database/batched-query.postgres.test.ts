import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { setUpTestDatabase } from '../testing/test-database.ts';
import { batchedQuery } from './batched-query.ts';
import type { Db } from './tables.ts';

const testDatabase = setUpTestDatabase();
let db: Db;
let other: Db;
beforeEach(async () => {
  ({ db } = await testDatabase.open());
  ({ db: other } = await testDatabase.open());
});

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

const lockKeys = (holder: Db) => sql`lock table attempt_keys in access exclusive mode`.execute(holder);
const terminate = (holder: Db, pid: number) => sql`select pg_terminate_backend(${pid})`.execute(holder);

/** Waits until so many batches have waited for the lock, each for so many seconds. @returns the first one's process. */
async function untilBatchesWait(count: number, seconds = 0): Promise<number> {
  let first = 0;
  const haveWaited = async () => {
    const { rows } = await sql<{ pid: number; seconds: number }>`
      select pid, extract(epoch from clock_timestamp() - query_start)::float8 as seconds from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' order by query_start
    `.execute(other);
    first = rows[0]?.pid ?? 0;
    return rows.length === count && rows.every((row) => row.seconds >= seconds);
  };
  await expect.poll(haveWaited, { interval: 5 }).toBe(true);
  return first;
}

test('a lost batch does not fail calls that wait behind others, while only some batches are stuck', async () => {
  const calls = await other.transaction().execute(async (holder) => {
    await lockKeys(holder);
    const lost = call('lost');
    // After half a second it is stuck, and others are sent.
    const firstProcess = await untilBatchesWait(1, 0.7);
    const second = call('second');
    await untilBatchesWait(2);
    const third = call('third');
    await untilBatchesWait(3);
    // It is not sent before one of these has ended, or is stuck too.
    const waiting = call('waiting');
    await terminate(holder, firstProcess);
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

test('the end of one of many stuck batches lets the next one be sent', async () => {
  const calls = await other.transaction().execute(async (holder) => {
    await lockKeys(holder);
    const lost = call('1');
    const firstProcess = await untilBatchesWait(1);
    const calls = [];
    for (let count = 2; count <= 5; count += 1) {
      calls.push(call(`${count}`));
      await untilBatchesWait(count);
    }
    await untilBatchesWait(5, 0.7);

    await terminate(holder, firstProcess);
    await lost;
    calls.push(call('6'));
    await untilBatchesWait(5);
    return calls;
  });

  expect(await Promise.all(calls)).toEqual(['2', '3', '4', '5', '6']);
});

test('a lone call that another transaction was in the way of is sent again, three times in all', async () => {
  const results = await other.connection().execute(async (holder) => {
    await sql`create sequence attempts`.execute(holder);
    await sql`
      create function fail() returns trigger as $$ begin
        if nextval('attempts') < 3 or new.id = 'never' then
          raise exception 'in the way' using errcode = '40P01';
        end if;
        return new;
      end $$ language plpgsql
    `.execute(holder);
    await sql`create trigger fail before insert on attempt_keys for each row execute function fail()`.execute(
      holder,
    );
    return [await call('late'), await call('never')];
  });

  expect(results).toEqual(['late', expect.stringContaining('in the way')]);
  const { rows } = await sql<{ attempts: string }>`select last_value as attempts from attempts`.execute(db);
  expect(Number(rows[0]?.attempts)).toBe(6);
});
