/** tables.ts describes the new column and table. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema.alterTable('books').addColumn('front_table_at', 'bigint').execute();
  await db.schema
    .createIndex('books_on_front_table')
    .on('books')
    .columns(['front_table_at', 'seq'])
    .where(sql.ref('front_table_at'), 'is not', null)
    .execute();
  await db.schema
    .createTable('front_table')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('heading', text, (column) => column.notNull())
    .addColumn('words', text, (column) => column.notNull())
    .execute();
  await sql`insert into front_table (id, heading, words) values (1, '', '')`.execute(db);
  // Its words are a part of what the response cache stores, as books are.
  if (isPostgres) {
    await sql`
      create trigger announce_front_table after update on front_table
      for each statement execute function announce_books()
    `.execute(db);
  } else {
    await sql`
      create trigger count_front_table_update after update on front_table
      begin update catalogue_changes set count = count + 1; end
    `.execute(db);
  }
}
