/** Gives the books of an older version of the store the texts that search compares and lists are sorted by now. */

import { type SqlBool, sql } from 'kysely';
import { countRows } from '../database/row-pages.ts';
import { readPages } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import type { SearchedBook } from '../search/search-text.ts';
import { textColumnsOf, textsVersion } from '../search/text-columns.ts';
import { countWords } from '../search/words.ts';
import { searchedColumns } from './book-columns.ts';

/** Each batch is a transaction: a stop in between loses nothing. */
const batchSize = 500;

const isOfOlderTexts = sql<SqlBool>`(is_indexed is null or is_indexed < ${sql.lit(textsVersion)})`;

export const olderBooks = (db: Db) => db.selectFrom('books').where(isOfOlderTexts);

export async function indexBooks(
  db: Db,
  { onProgress }: { onProgress?(done: number, all: number): void } = {},
): Promise<number> {
  const older = olderBooks(db);
  let done = 0;
  let all: number | undefined;
  const query = older.select(['seq', ...searchedColumns, 'search_text', 'title_key']);
  for await (const books of readPages(query, 'seq', batchSize)) {
    all ??= await countRows(db, older.select('seq'));
    done += await indexBatch(db, books);
    onProgress?.(done, all);
  }
  return done;
}

type StoredBook = SearchedBook & { seq: number; search_text: string; title_key: string | null };

async function indexBatch(db: Db, books: readonly StoredBook[]): Promise<number> {
  return await db.transaction().execute(async (db) => {
    let indexed = 0;
    const come: StoredBook[] = [];
    for (const book of books) {
      const { search_text, ...texts } = textColumnsOf(book);
      const old = await db
        .updateTable('books')
        // Writing a text updates the search index, even if the text stays the same.
        .set({ ...texts, ...(search_text !== book.search_text && { search_text }) })
        .where('seq', '=', book.seq)
        .where(isOfOlderTexts)
        .returning('removed_at')
        .executeTakeFirst();
      if (old) indexed += 1;
      // Words of a book that has a sort key were counted before.
      if (old?.removed_at === null && book.title_key === null) come.push(book);
    }
    await countWords(db, { come });
    return indexed;
  });
}
