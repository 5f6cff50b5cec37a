/** What `activity`, `attempt_keys` and the new columns hold stands in tables.ts. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  const counted = isPostgres ? ('bigserial' as const) : ('integer' as const);

  await db.schema
    .createTable('activity')
    .addColumn('seq', counted, (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('customer_id', text)
    .addColumn('customer_email', text)
    .addColumn('address', text)
    .addColumn('book_id', text)
    .addColumn('book_title', text)
    .execute();
  await db.schema.createIndex('activity_at').on('activity').column('at').execute();
  // Removals of earlier versions, which recorded the last one of each book.
  await sql`
    insert into activity (at, action, customer_id, customer_email, book_id, book_title)
    select removed_at, 'book-deleted', removed_by, customers.email, books.id, title
    from books left join customers on customers.id = removed_by
    where removed_at is not null
    order by removed_at
  `.execute(db);

  await db.schema
    .createTable('attempt_keys')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  // Not `issuer`: older nodes join this table with `customers`, whose column they call that.
  await db.schema.alterTable('sessions').addColumn('provider_issuer', text).execute();
  await db.schema.alterTable('sessions').addColumn('provider_session', text).execute();
  await db.schema.createIndex('sessions_customer').on('sessions').column('customer_id').execute();

  await db.schema.alterTable('books').addColumn('idempotency_key', text).execute();
  await db.schema.alterTable('books').addColumn('request_hash', text).execute();
  await db.schema
    .createIndex('books_once_per_key')
    .unique()
    .on('books')
    .columns(['added_by', 'idempotency_key'])
    .where(sql.ref('idempotency_key'), 'is not', null)
    .execute();

  await db.schema.alterTable('images').addColumn('uploaded_by', text).execute();
  await db.schema.createIndex('images_created').on('images').column('created_at').execute();
}
