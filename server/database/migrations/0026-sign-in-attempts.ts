/** A row for each sign-in attempt that is under way, in place of keys that signed its cookie. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  let table = db.schema.createTable('sign_in_attempts').addColumn('id', text, (id) => id.primaryKey());
  for (const column of ['state', 'nonce', 'code_verifier', 'return_to', 'channel']) {
    table = table.addColumn(column, text, (one) => one.notNull().defaultTo(''));
  }
  await table.addColumn('created_at', 'bigint', (at) => at.notNull()).execute();
  await db.schema
    .createIndex('sign_in_attempts_created_at')
    .on('sign_in_attempts')
    .column('created_at')
    .execute();
  await db.schema.dropTable('attempt_keys').execute();
}
