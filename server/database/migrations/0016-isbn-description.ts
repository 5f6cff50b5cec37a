/** book-fields.ts describes the new columns. The index is for imports, which recognise a book by its ISBN. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema.alterTable('books').addColumn('isbn', text).execute();
  await db.schema.alterTable('books').addColumn('description', text).execute();
  await db.schema
    .createIndex('books_isbn')
    .on('books')
    .column('isbn')
    .where(sql.ref('isbn'), 'is not', null)
    .execute();
}
