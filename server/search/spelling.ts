import { maxQueryLength } from '../../contract/book-search.ts';
import { listJoins, listSplits, type Reading } from './joined-words.ts';
import { mistakesBetween, mistakesIn } from './mistakes.ts';
import { latinWords, type SearchQuery } from './search-text.ts';
import type { Vocabulary } from './words.ts';

/** Limits: how many words are corrected, and by how many similar words each. */
const maxWords = 4;
const maxPerWord = 4;
/** Limits: each corrected query costs a search. If each word finds books, fewer are tried, because mistakes are then unlikely. */
const maxQueries = { ofUnknownWords: 4, ofKnownWords: 2 };
/** The additional cost of a word with another first letter: people rarely mistype the first letter. */
const otherFirstLetterCost = 0.5;
/** The cost of keeping a word that no book has as a whole: it may be a part of a word. */
const unknownWordCost = 2.5;

export type Corrections = {
  /** The queries with one or more words replaced or joined, the most likely first. Each query may find nothing too. */
  queries: string[];
  /** For each word of the query, in the order of `words`: the word itself or else the most similar one, if any book has it. */
  similar: ReadonlyMap<string, string>;
};

export async function findCorrections(
  vocabulary: Vocabulary,
  { words, typedWords }: SearchQuery,
): Promise<Corrections> {
  const counts = await vocabulary.countBooks(words);
  const unknown = words.filter((word) => canBeCorrected(word) && !counts.has(word)).slice(0, maxWords);
  const areKnown = unknown.length === 0;
  const corrected = areKnown && words.length <= maxWords ? words : unknown;
  const splits = await listSplits(vocabulary, corrected, words.at(-1));
  const readings = await Promise.all(
    words.map((word) =>
      corrected.includes(word)
        ? listReadings(vocabulary, word, counts.get(word), splits.get(word))
        : [typedAs(word)],
    ),
  );
  const correctedTexts = combine(readings).map((chosen) => {
    const meanings = new Map(chosen.map(({ text }, index) => [words[index] ?? '', text]));
    return typedWords.map((typed) => meaningOf(typed, meanings)).join(' ');
  });
  const typed = typedWords.join(' ');
  const queries = [...(await listJoins(vocabulary, typedWords)), ...correctedTexts]
    .filter((text) => text !== typed && text.length <= maxQueryLength)
    .slice(0, areKnown ? maxQueries.ofKnownWords : maxQueries.ofUnknownWords);
  const similar = words.flatMap((word, index) => {
    const known = readings[index]?.slice(1).find(({ books }) => books >= vocabulary.minBooks)?.text;
    const text = counts.has(word) ? word : known;
    return text === undefined ? [] : [[word, text] as const];
  });
  return { queries, similar: new Map(similar) };
}

export function meaningOf(typed: string, meanings: ReadonlyMap<string, string>): string {
  const [word = ''] = latinWords(typed);
  const meaning = meanings.get(word);
  return meaning === undefined || meaning === word ? typed : meaning;
}

const typedAs = (text: string, cost = 0): Reading => ({ text, cost, books: 0 });

const canBeCorrected = ({ length }: string) => mistakesIn(length + 1) > 0;

async function listReadings(
  { minBooks, listSimilar }: Vocabulary,
  word: string,
  books: number | undefined,
  splits: readonly Reading[] = [],
): Promise<Reading[]> {
  if (!canBeCorrected(word)) return [typedAs(word)];
  const similar = (await listSimilar(word, mistakesIn(word.length + 1))).flatMap((one) => {
    const isLikely = one.books >= (books ?? 0) && one.word !== word;
    const mistakes = isLikely ? mistakesBetween(word, one.word) : undefined;
    if (mistakes === undefined) return [];
    const cost = mistakes + (one.word[0] === word[0] ? 0 : otherFirstLetterCost);
    return [{ text: one.word, books: one.books, cost }];
  });
  const isKnown = books !== undefined;
  // If no other reading is certain, the visitor may still be typing the last of joined words, or a short word.
  const sure = [...similar, ...splits.filter((split) => split.books >= minBooks)];
  return [
    typedAs(word, isKnown ? 0 : unknownWordCost),
    ...(sure.length > 0 || isKnown ? sure : [...splits]).sort(compareReadings).slice(0, maxPerWord),
  ];
}

const compareReadings = (one: Reading, other: Reading): number =>
  one.cost - other.cost || other.books - one.books || (one.text < other.text ? -1 : 1);

function combine(readings: readonly (readonly Reading[])[]): Reading[][] {
  const sumOf = (chosen: readonly Reading[], name: 'cost' | 'books') =>
    chosen.reduce((sum, reading) => sum + reading[name], 0);
  return readings.reduce<Reading[][]>(
    (combinations, choices) =>
      combinations
        .flatMap((chosen) => choices.map((choice) => [...chosen, choice]))
        .sort((a, b) => sumOf(a, 'cost') - sumOf(b, 'cost') || sumOf(b, 'books') - sumOf(a, 'books'))
        .slice(0, 4 * maxQueries.ofUnknownWords),
    [[]],
  );
}
