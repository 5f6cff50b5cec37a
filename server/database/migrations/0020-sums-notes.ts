/** tables.ts describes the new tables and the new column. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** In the order in which they were added up: the orders with a lower id than that of `sales_progress`. */
const summedUp = sql`from orders where id < (select until_id from sales_progress) and withdrawn_at is null`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);

  await db.schema.alterTable('orders').addColumn('note', text).execute();

  // The days were those of UTC: a zone has others. The orders are read once, in place of what was added up.
  await db.schema
    .createTable('sales_quarters')
    .addColumn('quarter', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('orders', 'integer', (column) => column.notNull())
    .addColumn('revenue_cents', 'bigint', (column) => column.notNull())
    .execute();
  await sql`
    insert into sales_quarters (quarter, orders, revenue_cents)
    select placed_at / 900000, count(*), sum(price_cents) ${summedUp} group by 1
  `.execute(db);
  await db.schema.dropTable('sales_days').execute();

  await db.schema
    .createTable('sales_books')
    .addColumn('book_id', text, (column) => column.primaryKey().notNull())
    .addColumn('orders', 'integer', (column) => column.notNull())
    .addColumn('revenue_cents', 'bigint', (column) => column.notNull())
    .addColumn('last_sold_at', 'bigint', (column) => column.notNull())
    .execute();
  await sql`
    insert into sales_books (book_id, orders, revenue_cents, last_sold_at)
    select book_id, count(*), sum(price_cents), max(placed_at) ${summedUp} group by 1
  `.execute(db);
  for (const column of ['orders', 'revenue_cents', 'last_sold_at']) {
    await db.schema
      .createIndex(`sales_books_${column}`)
      .on('sales_books')
      .columns([column, 'book_id'])
      .execute();
  }
  // A withdrawal of a book's last sale looks for the one before.
  await db.schema
    .createIndex('sales_books_days')
    .on('sales_books_by_day')
    .columns(['book_id', 'day'])
    .execute();

  await db.schema
    .createTable('sales_customers')
    .addColumn('customer_id', text, (column) => column.primaryKey().notNull())
    .addColumn('orders', 'integer', (column) => column.notNull())
    .addColumn('revenue_cents', 'bigint', (column) => column.notNull())
    .execute();
  await sql`
    insert into sales_customers (customer_id, orders, revenue_cents)
    select customer_id, count(*), sum(price_cents) ${summedUp} group by 1
  `.execute(db);
  await db.schema
    .createIndex('sales_customers_best')
    .on('sales_customers')
    .columns(['revenue_cents', 'customer_id'])
    .execute();
  await db.schema.createIndex('customers_newest').on('customers').columns(['created_at', 'id']).execute();

  // An entry about several orders names them in its details: those of one order are looked for after its time.
  await db.schema
    .createIndex('activity_marks')
    .on('activity')
    .column('at')
    .where(sql.ref('action'), '=', sql.lit('orders-marked'))
    .execute();
}
