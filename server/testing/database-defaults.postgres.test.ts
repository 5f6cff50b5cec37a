import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
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
