/** tables.ts describes the new table. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('webhook_events')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('customer_id', text, (column) => column.notNull())
    .addColumn('order_id', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('error', text)
    .addColumn('delivered_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('webhook_events_due')
    .on('webhook_events')
    .column('due_at')
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('webhook_events_failed')
    .on('webhook_events')
    .column('id')
    .where(sql.ref('error'), 'is not', null)
    .execute();
}
