/** The words of the catalogue. Symmetric deletes (W. Garbe) find a word by a misspelling: both, without some letters, are equal texts. */

import { sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { latinWords, type SearchedBook, searchedTextOf } from './search-text.ts';

/** The fewest letters of a counted word. Shorter words are not suggested: too many words are one letter away. */
export const minCountedLength = 4;
const maxLength = 40;
/** Letters are left out only in a start of this length, since people rarely mistake more than two letters there. */
const prefixLength = 7;
const twoDeletionsLength = 7;
/** The most words that are compared with a misspelt word. */
const maxSimilar = 2_000;

const isCounted = (word: string): boolean =>
  word.length >= minCountedLength && word.length <= maxLength && /^[a-z]+$/.test(word);

function deletionsOf(word: string, mistakes: number): string[] {
  const deletions = new Set([word.slice(0, prefixLength)]);
  for (let left = mistakes; left > 0; left -= 1) {
    for (const text of [...deletions]) {
      for (const index of text.split('').keys()) deletions.add(text.slice(0, index) + text.slice(index + 1));
    }
  }
  return [...deletions];
}

export type BookMoves = { come?: readonly SearchedBook[]; leave?: readonly SearchedBook[] };

/** Call this once, as the last step of a transaction: it locks rows of common words, in alphabetical order, and others wait for them. */
export async function countWords(db: Db, { come = [], leave = [] }: BookMoves): Promise<void> {
  const counts = new Map<string, number>();
  const count = (book: SearchedBook, change: 1 | -1) => {
    const words = new Set(latinWords(searchedTextOf(book)).filter(isCounted));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + change);
  };
  for (const book of come) count(book, 1);
  for (const book of leave) count(book, -1);
  // Sorted, so that transactions which change the same words wait for each other in the same order.
  const changes = [...counts]
    .filter(([, books]) => books !== 0)
    .map(([word, books]) => ({ word, books }))
    .sort((one, other) => (one.word < other.word ? -1 : 1));
  if (changes.length === 0) return;
  const items = engineOf(db).itemTable(changes, { word: 'text', books: 'bigint' });
  const counted = await db
    .insertInto('words')
    .columns(['word', 'books'])
    // SQLite needs the condition: without one it would take `on conflict` for a part of the select.
    .expression(db.selectFrom(items).select(['item.word', 'item.books']).where(sql.lit(true)))
    .onConflict((conflict) =>
      conflict.column('word').doUpdateSet({ books: sql<number>`words.books + excluded.books` }),
    )
    .returning(['word', 'books'])
    .execute();
  // A word that no book has any more keeps its deletions, for the next book with the word.
  const added = counted.filter(({ word, books }) => books === counts.get(word) && books > 0);
  const deletions = added.flatMap(({ word }) =>
    deletionsOf(word, word.length < twoDeletionsLength ? 1 : 2).map((deletion) => ({ deletion, word })),
  );
  await addDeletions(db, deletions);
}

async function addDeletions(db: Db, rows: readonly { deletion: string; word: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const items = engineOf(db).itemTable(rows, { deletion: 'text', word: 'text' });
  await db
    .insertInto('word_deletions')
    .columns(['deletion', 'word'])
    .expression(db.selectFrom(items).select(['item.deletion', 'item.word']).where(sql.lit(true)))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type Vocabulary = {
  /** The number of books for sale by known word: 0 for words of books that are gone. */
  minBooks: number;
  countBooks(words: readonly string[]): Promise<Map<string, number>>;
  listSimilar(word: string, mistakes: number): Promise<{ word: string; books: number }[]>;
};

export function vocabularyOf(db: Db, minBooks = 1): Vocabulary {
  const known = db.selectFrom('words').select(['word', 'books']).where('books', '>=', minBooks);
  return {
    minBooks,
    async countBooks(words) {
      const rows = words.length === 0 ? [] : await known.where('word', 'in', words).execute();
      return new Map(rows.map(({ word, books }) => [word, books]));
    },
    listSimilar(word, mistakes) {
      const similar = db
        .selectFrom('word_deletions')
        .select('word')
        .where('deletion', 'in', deletionsOf(word, mistakes))
        .orderBy('deletion')
        .orderBy('word')
        .limit(maxSimilar);
      return known
        .where('word', 'in', (db) => db.selectFrom(similar.as('similar')).select('similar.word'))
        .execute();
    },
  };
}
