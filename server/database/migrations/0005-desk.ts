/** tables.ts describes the new columns and tables. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .alterTable('books')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createIndex('books_removed')
    .on('books')
    .columns(['removed_at', 'seq'])
    .where(sql.ref('removed_at'), 'is not', null)
    .execute();

  await db.schema.alterTable('orders').addColumn('sent_at', 'bigint').execute();
  // An id begins with its time, so this is the order in which all customers bought.
  await db.schema.createIndex('orders_by_id').on('orders').column('id').execute();
  await db.schema
    .createIndex('orders_not_sent')
    .on('orders')
    .column('id')
    .where(sql.ref('sent_at'), 'is', null)
    .execute();

  await db.schema.alterTable('customers').addColumn('blocked_at', 'bigint').execute();
  await db.schema.alterTable('customers').addColumn('erased_at', 'bigint').execute();
  // On both engines `lower` changes the letters of ASCII alone: PostgreSQL's by the collation of the column.
  await sql`create index customers_email on customers (lower(email))`.execute(db);

  await db.schema
    .createTable('tokens')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('may', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();

  for (const column of ['token', 'subject', 'details']) {
    await db.schema.alterTable('activity').addColumn(column, text).execute();
  }
  await db.schema.createIndex('activity_customer').on('activity').column('customer_id').execute();
}
