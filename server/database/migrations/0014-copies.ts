/** tables.ts describes the new table and columns. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  const counted = isPostgres ? ('bigserial' as const) : ('integer' as const);

  await db.schema
    .createTable('copies')
    .addColumn('id', counted, (column) => column.primaryKey())
    .addColumn('book_id', text, (column) => column.notNull())
    .addColumn('order_id', text)
    .execute();
  await db.schema
    .createIndex('copies_free')
    .on('copies')
    .columns(['book_id', 'id'])
    .where(sql.ref('order_id'), 'is', null)
    .execute();
  await db.schema
    .createIndex('copies_sold')
    .unique()
    .on('copies')
    .column('order_id')
    .where(sql.ref('order_id'), 'is not', null)
    .execute();

  await db.schema.alterTable('books').addColumn('copies_left', 'integer').execute();
  await db.schema.alterTable('books').addColumn('sold_out_at', 'bigint').execute();
  await db.schema
    .createIndex('books_sold_out')
    .on('books')
    .columns(['sold_out_at', 'seq'])
    .where(sql.ref('sold_out_at'), 'is not', null)
    .execute();
  // Not among the books that are sold out, of which a shop may have many more.
  await db.schema
    .createIndex('books_deleted')
    .on('books')
    .columns(['removed_at', 'seq'])
    .where(sql.ref('removed_at'), 'is not', null)
    .where(sql.ref('sold_out_at'), 'is', null)
    .execute();
}
