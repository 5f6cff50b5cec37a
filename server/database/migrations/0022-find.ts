import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The subjects of books come into their search text when the store starts (search/indexing.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update books set is_indexed = null where keywords is not null`.execute(db);
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  // As in 0003: a search that reads the books in an order compares text and price without a row of the table.
  await db.schema.dropIndex('books_for_sale_by_title_with_text').execute();
  await db.schema.dropIndex('books_for_sale_by_author_key').execute();
  await db.schema
    .createIndex('books_for_sale_by_title_with_price')
    .on('books')
    .columns(['title_sort', 'seq', 'price_cents', 'search_text'])
    .where(sql.ref('removed_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('books_for_sale_by_author_with_text')
    .on('books')
    .columns(['author_key', 'seq', 'price_cents', 'search_text'])
    .where(sql.ref('removed_at'), 'is', null)
    .where(sql.ref('author_key'), 'is not', null)
    .execute();
}
