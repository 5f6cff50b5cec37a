/** tables.ts describes the new columns and tables. The books get their texts afterwards (search/indexing.ts). */

import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);

  for (const column of ['title_key', 'author_key', 'keywords']) {
    await db.schema.alterTable('books').addColumn(column, text).execute();
  }
  await db.schema.alterTable('books').addColumn('is_indexed', 'integer').execute();
  for (const column of ['title_key', 'author_key']) {
    await db.schema
      .createIndex(`books_for_sale_by_${column}`)
      .on('books')
      .columns([column, 'seq'])
      .where(sql.ref('removed_at'), 'is', null)
      // Empty at first, so that no read waits for its making. The books come into it when they are indexed.
      .where(sql.ref(column), 'is not', null)
      .execute();
  }
  await db.schema
    .createIndex('books_not_indexed')
    .on('books')
    .column('seq')
    .where(sql.ref('is_indexed'), 'is', null)
    .execute();

  const words = db.schema
    .createTable('words')
    .addColumn('word', text, (column) => column.primaryKey().notNull())
    .addColumn('books', 'bigint', (column) => column.notNull());
  const deletions = db.schema
    .createTable('word_deletions')
    .addColumn('deletion', text, (column) => column.notNull())
    .addColumn('word', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('word_deletions_primary', ['deletion', 'word']);
  if (!isPostgres) await replaceSearchTriggers(db);
  // Its primary key is then the table itself.
  for (const table of [words, deletions]) {
    await (isPostgres ? table : table.modifyEnd(sql`without rowid`)).execute();
  }
}

/**
 * Makes one trigger of two. SQLite fires several in an order that it does not promise: the one that adds a book to the search
 * came before the one that removes it, and an update that keeps the text took the book out of the search.
 */
async function replaceSearchTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger books_search_forget`.execute(db);
  await sql`drop trigger books_search_learn`.execute(db);
  await sql`
    create trigger books_search_update after update of removed_at, search_text on books begin
      insert into books_search (books_search, rowid, search_text)
        select 'delete', -old.seq, old.search_text where old.removed_at is null;
      insert into books_search (rowid, search_text)
        select -new.seq, new.search_text where new.removed_at is null;
    end
  `.execute(db);
}
