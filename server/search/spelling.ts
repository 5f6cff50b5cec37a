/** Corrects the words of a query that finds little, by the words of the catalogue. */

import { maxQueryLength } from '../../contract/book-search.ts';
import type { Db } from '../database/tables.ts';
import { listJoins, listSplits, type Split, type Vocabulary } from './joined-words.ts';
import { mistakesBetween, mistakesIn } from './mistakes.ts';
import { latinWords, type SearchQuery } from './search-text.ts';
import { countBooksOf, listSimilarWords } from './words.ts';

/** How many words are corrected. */
const maxWords = 4;
/** How many of the most similar words are tried for each one. */
const maxPerWord = 4;
/** How many corrected queries are tried: each costs a search. */
const maxQueries = 4;
/**
 * When books have every word, one of them may be a misspelt other one. This is tried for few words only, and by fewer queries:
 * more often no book has them together.
 */
const ofKnownWords = { maxWords: 4, maxQueries: 2 };

/** In addition, of a word with another first letter: people rarely mistake it. */
const otherFirstLetterCost = 0.5;

/** One reading of a word; `cost` grows with the distance from what was typed. */
type Reading = { text: string; cost: number; books: number };

/** The cost of leaving a word as it is that no book has as a whole: it may be a part of one. */
const unknownWordCost = 2.5;

/** The meanings that a query may have. */
export type Corrections = {
  /** The query with one or more words replaced or joined, the most likely one first. Each may find nothing either. */
  queries: string[];
  /** For each word of the query, as `words` has it, the word itself or else the most similar one, if books have it. */
  similar: ReadonlyMap<string, string>;
};

/** @param knowsGoneWords words that no book for sale has any more are known too. */
export async function findCorrections(
  db: Db,
  { words, typedWords }: SearchQuery,
  knowsGoneWords = false,
): Promise<Corrections> {
  const vocabulary: Vocabulary = { db, minBooks: knowsGoneWords ? 0 : 1 };
  const counts = await countBooksOf(db, words, vocabulary.minBooks);
  const unknown = words.filter((word) => canBeCorrected(word) && !counts.has(word)).slice(0, maxWords);
  const areKnown = unknown.length === 0;
  const corrected = areKnown ? (words.length <= ofKnownWords.maxWords ? words : []) : unknown;
  const splits = await listSplits(vocabulary, corrected, words.at(-1));
  const joins = await listJoins(vocabulary, typedWords);
  const readings = await Promise.all(
    words.map((word) =>
      corrected.includes(word)
        ? listReadings(vocabulary, word, counts.get(word), splits.get(word))
        : [typedAs(word)],
    ),
  );
  const typed = typedWords.join(' ');
  const correctedTexts = combine(readings).map((combination) => {
    const corrections = new Map(combination.map(({ text }, index) => [words[index], text]));
    return typedWords.map((word) => correctTyped(word, corrections)).join(' ');
  });
  const queries = [...joins, ...correctedTexts]
    .filter((text) => text !== typed && text.length <= maxQueryLength)
    .slice(0, areKnown ? ofKnownWords.maxQueries : maxQueries);
  const similar = words.flatMap((word, index) => {
    const known = readings[index]?.slice(1).find(({ books }) => books >= vocabulary.minBooks)?.text;
    const text = counts.has(word) ? word : known;
    return text === undefined ? [] : [[word, text] as const];
  });
  return { queries, similar: new Map(similar) };
}

/** @param corrections by the word in Latin letters. @returns the word as typed where it stays as it is. */
function correctTyped(typed: string, corrections: ReadonlyMap<string | undefined, string>): string {
  const [word] = latinWords(typed);
  const corrected = corrections.get(word);
  return corrected === undefined || corrected === word ? typed : corrected;
}

const typedAs = (text: string, cost = 0): Reading => ({ text, cost, books: 0 });

/** @returns true if a word may be a misspelt longer one. */
const canBeCorrected = ({ length }: string) => mistakesIn(length + 1) > 0;

/**
 * @param books how many books have the word; undefined for none.
 * @returns the word itself and those that may be meant by it.
 */
async function listReadings(
  { db, minBooks }: Vocabulary,
  word: string,
  books: number | undefined,
  splits: readonly Split[] = [],
): Promise<Reading[]> {
  if (!canBeCorrected(word)) return [typedAs(word)];
  const similar = (await listSimilarWords(db, word, mistakesIn(word.length + 1), minBooks)).flatMap((one) => {
    const isLikely = one.books >= (books ?? 0) && one.word !== word;
    const mistakes = isLikely ? mistakesBetween(word, one.word) : undefined;
    if (mistakes === undefined) return [];
    const cost = mistakes + (one.word[0] === word[0] ? 0 : otherFirstLetterCost);
    return [{ text: one.word, books: one.books, cost }];
  });
  const isKnown = books !== undefined;
  // Where no other reading is sure, the visitor may be typing the last one of joined words, or a short one.
  const sure = [...similar, ...splits.filter(({ books }) => books >= minBooks)];
  return [
    typedAs(word, isKnown ? 0 : unknownWordCost),
    ...(sure.length > 0 || isKnown ? sure : [...splits]).sort(compareReadings).slice(0, maxPerWord),
  ];
}

const compareReadings = (one: Reading, other: Reading): number =>
  one.cost - other.cost || other.books - one.books || (one.text < other.text ? -1 : 1);

/** @returns the combinations of one reading of each word, the cheapest first. */
function combine(readings: readonly (readonly Reading[])[]): Reading[][] {
  let combinations: { parts: Reading[]; cost: number; books: number }[] = [{ parts: [], cost: 0, books: 0 }];
  for (const choices of readings) {
    combinations = combinations
      .flatMap(({ parts, cost, books }) =>
        choices.map((choice) => ({
          parts: [...parts, choice],
          cost: cost + choice.cost,
          books: books + choice.books,
        })),
      )
      .sort((one, other) => one.cost - other.cost || other.books - one.books)
      .slice(0, 4 * maxQueries);
  }
  return combinations.map(({ parts }) => parts);
}
