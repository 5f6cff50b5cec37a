/** Gives the books of an older version of the store the texts that search compares and lists are sorted by now. */

import { type SqlBool, sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import type { SearchedBook } from '../search/search-text.ts';
import { textColumnsOf, textColumnTypes, textsVersion } from '../search/text-columns.ts';
import { countWords } from '../search/words.ts';
import { searchedColumns } from './book-columns.ts';
import { countBooks } from './books.ts';

/** Each batch is a transaction: a stop in between loses nothing. */
const batchSize = 500;

const isOfOlderTexts = sql<SqlBool>`(is_indexed is null or is_indexed < ${sql.lit(textsVersion)})`;

export async function indexBooks(
  db: Db,
  { onProgress }: { onProgress?(done: number, all: number): void } = {},
): Promise<number> {
  const older = db.selectFrom('books').where(isOfOlderTexts);
  let done = 0;
  let all: number | undefined;
  for (let after = 0; ; ) {
    const books = await older
      .select(['seq', ...searchedColumns, 'title_key'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(batchSize)
      .execute();
    const last = books.at(-1);
    if (!last) return done;
    all ??= await countBooks(db, older.select('seq'));
    done += await indexBatch(db, books);
    after = last.seq;
    onProgress?.(done, all);
  }
}

type StoredBook = SearchedBook & { seq: number; title_key: string | null };

async function indexBatch(db: Db, books: readonly StoredBook[]): Promise<number> {
  const texts = books.map((book) => ({ seq: book.seq, ...textColumnsOf(book) }));
  const items = engineOf(db).itemTable(JSON.stringify(texts), { seq: 'bigint', ...textColumnTypes });
  return await db.transaction().execute(async (db) => {
    const old = db
      .updateTable('books')
      .from(items)
      .whereRef('books.seq', '=', 'item.seq')
      // Not by the index of these books: with statistics of a time when there were none, SQLite would compare each of them with
      // each item.
      .where(sql<SqlBool>`(+books.is_indexed is null or +books.is_indexed < ${textsVersion})`);
    // A text that is written goes through the index of the search, also one that stays as it is.
    await old
      .set(({ ref }) => ({ search_text: sql<string>`${ref('item.search_text')}` }))
      .where(sql<SqlBool>`books.search_text <> item.search_text`)
      .execute();
    const indexed = await old
      .set(({ ref }) => ({
        title_key: ref('item.title_key'),
        author_key: ref('item.author_key'),
        title_sort: sql<string>`${ref('item.title_sort')}`,
        author_sort: ref('item.author_sort'),
        is_indexed: textsVersion,
      }))
      .returning(['books.seq', 'removed_at'])
      .execute();
    const isForSale = new Map(indexed.map(({ seq, removed_at }) => [seq, removed_at === null]));
    // One with a key was counted before.
    const come = books.filter(({ seq, title_key }) => isForSale.get(seq) && title_key === null);
    await countWords(db, { come });
    return indexed.length;
  });
}
