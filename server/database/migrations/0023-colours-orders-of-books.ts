/** tables.ts describes the new column. The index of orders finds the buyers of a book, for the books that they bought beside it. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema.alterTable('images').addColumn('colour', text).execute();
  // It has nothing once the colours are found.
  await db.schema
    .createIndex('images_without_colour')
    .on('images')
    .column('id')
    .where(sql.ref('colour'), 'is', null)
    .execute();
  await db.schema.createIndex('orders_of_books').on('orders').columns(['book_id', 'id']).execute();
}
