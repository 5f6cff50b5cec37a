/**
 * The words of the catalogue, and an index that finds a word by its misspelling with equality alone: both without the same
 * letters are the same text (W. Garbe's symmetric delete algorithm). The index costs the same on both engines and at any size.
 */

import { sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { latinWords, type SearchedBook, searchedTextOf } from './search-text.ts';

/** The letters of the shortest word that is counted. A shorter one is never what a misspelt word means: too many are one letter away. */
export const minCountedLength = 4;
/** Longer ones are rarely typed. */
const maxLength = 40;
/** In letters: only those at the start are left out, since people rarely mistake more than two in them. */
const prefixLength = 7;
/** Words of this length or more are found with two mistakes, shorter ones with one. */
const twoDeletionsLength = 7;

const isCounted = (word: string): boolean =>
  word.length >= minCountedLength && word.length <= maxLength && /^[a-z]+$/.test(word);

/** @returns those of a book's words that the table `words` counts, each once. */
export const countedWordsOf = (book: SearchedBook): string[] => [
  ...new Set(latinWords(searchedTextOf(book)).filter(isCounted)),
];

/** @returns the start of a word, and what remains of it without each one of its letters, or also without each two. */
function deletionsOf(word: string, mistakes: number): Set<string> {
  const deletions = new Set([word.slice(0, prefixLength)]);
  for (let left = mistakes; left > 0; left -= 1) {
    for (const text of [...deletions]) {
      for (let index = 0; index < text.length; index += 1) {
        deletions.add(text.slice(0, index) + text.slice(index + 1));
      }
    }
  }
  return deletions;
}

/** Books that come into the catalogue, and those that leave it. A book whose words change does both. */
export type BookMoves = { come?: readonly SearchedBook[]; leave?: readonly SearchedBook[] };

/**
 * Counts the words of books that come and leave. A step of a transaction, its last one and once in it: it holds the rows of common
 * words, for which other changes wait. A second call would hold words of the first, and wait for earlier ones in the alphabet.
 */
export async function countWords(db: Db, { come = [], leave = [] }: BookMoves): Promise<void> {
  const counts = new Map<string, number>();
  const count = (book: SearchedBook, change: 1 | -1) => {
    for (const word of countedWordsOf(book)) counts.set(word, (counts.get(word) ?? 0) + change);
  };
  for (const book of come) count(book, 1);
  for (const book of leave) count(book, -1);
  // Sorted, so that transactions which change the same words wait for each other in the same order.
  const sorted = [...counts]
    .filter(([, books]) => books !== 0)
    .map(([word, books]) => ({ word, books }))
    .sort((one, other) => (one.word < other.word ? -1 : 1));
  if (sorted.length === 0) return;
  const items = engineOf(db).itemTable(JSON.stringify(sorted), { word: 'text', books: 'bigint' });
  const sum = sql`${sql.ref('words.books')} + ${sql.ref('excluded.books')}`;
  const counted = await db
    .insertInto('words')
    .columns(['word', 'books'])
    // SQLite needs the condition: without one it would take `on conflict` for a part of the select.
    .expression(db.selectFrom(items).select(['item.word', 'item.books']).where(sql.lit(true)))
    .onConflict((conflict) =>
      conflict
        .column('word')
        // Never below 0: nodes of an older version remove books without counting.
        .doUpdateSet({ books: sql<number>`case when ${sum} > 0 then ${sum} else 0 end` }),
    )
    .returning(['word', 'books'])
    .execute();
  // A word that has no book any more keeps its deletions, for the next book that has it.
  const added = counted.filter(({ word, books }) => books === counts.get(word) && books > 0);
  await addDeletions(
    db,
    added.map(({ word }) => word),
  );
}

async function addDeletions(db: Db, words: readonly string[]): Promise<void> {
  const rows = words.flatMap((word) =>
    [...deletionsOf(word, word.length < twoDeletionsLength ? 1 : 2)].map((deletion) => ({ deletion, word })),
  );
  if (rows.length === 0) return;
  const items = engineOf(db).itemTable(JSON.stringify(rows), { deletion: 'text', word: 'text' });
  await db
    .insertInto('word_deletions')
    .columns(['deletion', 'word'])
    .expression(db.selectFrom(items).select(['item.deletion', 'item.word']).where(sql.lit(true)))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Limits how many words are compared with a misspelt one. */
const maxSimilar = 2_000;

/**
 * @param minBooks 0 for words that no book for sale has any more, too.
 * @returns words of the catalogue that may be within so many mistakes of a word, and how many books have each.
 */
export const listSimilarWords = (
  db: Db,
  word: string,
  mistakes: number,
  minBooks = 1,
): Promise<{ word: string; books: number }[]> =>
  db
    .selectFrom('words')
    .select(['word', 'books'])
    .where('word', 'in', (db) =>
      db
        .selectFrom(
          db
            .selectFrom('word_deletions')
            .select('word')
            .where('deletion', 'in', [...deletionsOf(word, mistakes)])
            .orderBy('deletion')
            .orderBy('word')
            .limit(maxSimilar)
            .as('similar'),
        )
        .select('similar.word'),
    )
    .where('books', '>=', minBooks)
    .execute();

/**
 * @param minBooks 0 for words that no book for sale has any more, too.
 * @returns how many books for sale have each word; without those that none has.
 */
export async function countBooksOf(
  db: Db,
  words: readonly string[],
  minBooks = 1,
): Promise<Map<string, number>> {
  if (words.length === 0) return new Map();
  const rows = await db
    .selectFrom('words')
    .select(['word', 'books'])
    .where('word', 'in', words)
    .where('books', '>=', minBooks)
    .execute();
  return new Map(rows.map(({ word, books }) => [word, books]));
}
