import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { runStatements } from './postgres-server.ts';
import { createStoreDatabase } from './test-database.ts';
import { emmaSent, openTestStore } from './test-store.ts';

test('whatever the database’s defaults, statements are read committed; a change that waits longer for a lock than its lock_timeout gets 503', async () => {
  const { settings, url } = await createStoreDatabase();
  const name = new URL(url).pathname.slice(1);
  await runStatements(
    url,
    `alter database ${name} set default_transaction_isolation = 'serializable'`,
    `alter database ${name} set lock_timeout = '100ms'`,
  );
  const store = await openTestStore({ database: settings });
  for (const db of [store.database.db, store.database.listDb]) {
    const { rows } = await sql`show transaction_isolation`.execute(db);
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
  }
  const cookie = await store.signIn();
  const other = await store.openDatabaseAgain();

  const { status, headers } = await other.db.transaction().execute(async (db) => {
    await sql`lock table books in access exclusive mode`.execute(db);
    return await store.call(paths.addBook, { cookie, json: emmaSent });
  });

  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '2' });
});
