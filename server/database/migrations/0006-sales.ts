/** tables.ts describes the new tables. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);

  // A new order is not in it, so it costs the checkout nothing.
  await db.schema
    .createIndex('orders_sent')
    .on('orders')
    .column('id')
    .where(sql.ref('sent_at'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('activity_subject')
    .on('activity')
    .column('subject')
    .where(sql.ref('subject'), 'is not', null)
    .execute();

  await db.schema
    .createIndex('customers_erased')
    .on('customers')
    .column('erased_at')
    .where(sql.ref('erased_at'), 'is not', null)
    .execute();

  await db.schema
    .createTable('sales_days')
    .addColumn('day', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('orders', 'integer', (column) => column.notNull())
    .addColumn('revenue_cents', 'bigint', (column) => column.notNull())
    .execute();
  for (const period of ['day', 'month']) {
    await db.schema
      .createTable(`sales_books_by_${period}`)
      .addColumn(period, 'integer', (column) => column.notNull())
      .addColumn('book_id', text, (column) => column.notNull())
      .addColumn('orders', 'integer', (column) => column.notNull())
      .addColumn('revenue_cents', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint(`sales_books_by_${period}_primary`, [period as never, 'book_id' as never])
      .$call((table) => (isPostgres ? table : table.modifyEnd(sql`without rowid`)))
      .execute();
  }
  await db.schema
    .createTable('sales_progress')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('until_id', text, (column) => column.notNull())
    .execute();
  await sql`insert into sales_progress (id, until_id) values (1, '')`.execute(db);
}
