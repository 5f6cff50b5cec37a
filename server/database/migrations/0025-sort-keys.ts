/** tables.ts describes the new column. The books get their sort keys afterwards (search/indexing.ts). */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  await db.schema.alterTable('books').addColumn('author_sort', text).execute();
  await db.schema.dropIndex('books_not_indexed').execute();
  await sql`create index books_of_older_texts on books (seq) where is_indexed is null or is_indexed < 2`.execute(
    db,
  );
  const createIndex = (column: string, columns: readonly string[]) =>
    db.schema
      .createIndex(`books_for_sale_by_${column}`)
      .on('books')
      .columns([column, ...columns])
      .where(sql.ref('removed_at'), 'is', null)
      .where(sql.ref(column), 'is not', null)
      .execute();
  if (isPostgres) return await createIndex('author_sort', ['seq']);
  // As in 0022, for the order by author; searches need no more than the first author's books.
  await db.schema.dropIndex('books_for_sale_by_author_with_text').execute();
  await createIndex('author_key', ['seq']);
  await createIndex('author_sort', ['seq', 'price_cents', 'search_text']);
}
