/** Finds the words that a visitor has typed without the space between them, such as `mobydick`, or with one inside: `moby di ck`. */

import { latinWords } from './search-text.ts';
import { minCountedLength, type Vocabulary } from './words.ts';

/** The most letters of a joined word. A longer one is an address or a mistake: each letter costs two look-ups. */
const joinedLengths = { min: 5, max: 40 };
/** The most letters of a short word between two others, as in `prideandprejudice`. */
const maxBetween = 3;
/** The costs in a reading of a split, of a short word, and of a half-typed word. */
const costs = { split: 1, shortWord: 0.5, halfTyped: 1 };
const maxJoins = 2;

/** `cost`: grows with the distance from the typed text; `books`: how many books the rarest of its words has, -1 if one is unknown. */
export type Reading = { text: string; cost: number; books: number };

export async function listSplits(
  vocabulary: Vocabulary,
  words: readonly string[],
  lastWord: string | undefined,
): Promise<Map<string, Reading[]>> {
  const joined = words.filter(({ length }) => length >= joinedLengths.min && length <= joinedLengths.max);
  const parts = joined.flatMap((word) =>
    positionsIn(word).flatMap((at) => [word.slice(0, at), word.slice(at)]),
  );
  const counts = await vocabulary.countBooks([...new Set(parts)].filter(isLong));
  return new Map(joined.map((word) => [word, splitsOf(word, counts, word === lastWord)]));
}

const positionsIn = ({ length }: string): number[] => Array.from({ length: length - 1 }, (_, at) => at + 1);
const isLong = ({ length }: string): boolean => length >= minCountedLength;

function splitsOf(word: string, counts: ReadonlyMap<string, number>, isLast: boolean): Reading[] {
  const readings: Reading[] = [];
  for (const start of positionsIn(word)) {
    for (let end = start; end <= start + maxBetween; end += 1) {
      const parts = [word.slice(0, start), word.slice(start, end), word.slice(end)] as const;
      readings.push(...readSplit(parts, counts, isLast));
    }
  }
  return readings;
}

function readSplit(
  [first, between, last]: readonly [string, string, string],
  counts: ReadonlyMap<string, number>,
  isLast: boolean,
): Reading[] {
  if (isLong(first) && !counts.has(first)) return [];
  // If a short word is between them, both words must be known: there are many ways to cut a text into three words.
  const isKnown = counts.has(last) && (between === '' || counts.has(first));
  const isShort = between === '' && last !== '' && !isLong(last);
  const isHalfTyped = between === '' && isLast && isLong(last) && counts.has(first);
  if (!isKnown && !isShort && !isHalfTyped) return [];
  const texts = [first, between, last].filter((text) => text !== '');
  const known = texts.flatMap((text) => counts.get(text) ?? []);
  const shortWords = texts.filter((text) => !isLong(text)).length;
  const cost = costs.split + shortWords * costs.shortWord + (isHalfTyped && !isKnown ? costs.halfTyped : 0);
  const isSure = known.length > 0 && known.length + shortWords === texts.length;
  return [{ text: texts.join(' '), cost, books: isSure ? Math.min(...known) : -1 }];
}

export async function listJoins(vocabulary: Vocabulary, typedWords: readonly string[]): Promise<string[]> {
  const pairs = typedWords.slice(1).map((second, index) => {
    const joined = `${typedWords[index]}${second}`;
    return { word: latinWords(joined).join(''), text: typedWords.toSpliced(index, 2, joined).join(' ') };
  });
  const counts = await vocabulary.countBooks(pairs.map(({ word }) => word));
  return pairs
    .filter(({ word }) => counts.has(word))
    .sort((one, other) => (counts.get(other.word) ?? 0) - (counts.get(one.word) ?? 0))
    .slice(0, maxJoins)
    .map(({ text }) => text);
}
