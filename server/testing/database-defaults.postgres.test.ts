import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { batchedQuery } from '../database/batched-query.ts';
import { runStatements } from './postgres-server.ts';
import { createStoreDatabase, type TestDatabase } from './test-database.ts';
import { openTestStore } from './test-store.ts';

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createStoreDatabase();
});

/** Changes a default of the database, for connections that are opened from now on. */
const setDefault = (setting: string) => {
  const name = new URL(testDatabase.url).pathname.slice(1);
  return runStatements(testDatabase.url, `alter database ${name} set ${setting}`);
};

test('statements are read committed, whatever the database’s default', async () => {
  await setDefault("default_transaction_isolation = 'serializable'");
  const database = await testDatabase.open();

  for (const db of [database.db, database.listDb]) {
    const { rows } = await sql`show transaction_isolation`.execute(db);
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
  }
});

test('no statement is compiled, however much the planner expects of it', async () => {
  await setDefault('jit_above_cost = 0');
  const { db } = await testDatabase.open();

  const { rows } = await sql`explain (analyze) select count(*) from books`.execute(db);

  expect(JSON.stringify(rows)).toContain('Execution Time');
  expect(JSON.stringify(rows)).not.toContain('JIT');
});

test('a change that waits longer for a lock than the database’s lock_timeout gets 503', async () => {
  await setDefault("lock_timeout = '100ms'");
  const store = await openTestStore({ database: testDatabase.settings });
  const cookie = await store.signIn();
  const other = await store.openDatabaseAgain();
  const json = {
    title: 'Emma',
    author: 'Jane Austen',
    image: 'https://covers.example/emma.jpg',
    price: { value: 1 },
  };

  const { status, headers } = await other.db.transaction().execute(async (db) => {
    await sql`lock table books in access exclusive mode`.execute(db);
    return await store.call(paths.addBook, { cookie, json });
  });

  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '2' });
});

test('calls whose batch lost to another transaction are repeated one by one, and those that wait do not fail with it', async () => {
  await runStatements(
    testDatabase.url,
    `create function lose_if(boolean) returns boolean language plpgsql as $$ begin
      if $1 then raise exception 'could not serialize access' using errcode = '40001'; end if; return true;
    end $$`,
  );
  const { db } = await testDatabase.open();
  const query = batchedQuery({
    columns: { id: 'text' },
    key: 'id',
    build: (db, items) =>
      db.selectFrom(items).select(['id', sql<boolean>`lose_if(bool_or(id = 'loser') over ())`.as('won')]),
  });

  // In the first batch of fifteen.
  const ids = ['loser', ...Array.from({ length: 1_499 }, (_, index) => `${index}`)];
  const results = await Promise.allSettled(ids.map((id) => query(db, { id })));

  expect(results.flatMap((result, index) => (result.status === 'rejected' ? [ids[index]] : []))).toEqual([
    'loser',
  ]);
});
