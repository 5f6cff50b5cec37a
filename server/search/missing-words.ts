/** The words of a query that the nearest book has, when a word is wrong. A book that lacks one word has at least two of any three. */

import { compareMatches, type RankedBook, rankOf, ranks } from './ranks.ts';
import { latinWords, readQuery, type SearchQuery } from './search-text.ts';
import { type Corrections, meaningOf } from './spelling.ts';
import { minCountedLength, type Vocabulary } from './words.ts';

const maxAnchors = 3;
/** A word that more books have is looked up together with another word. */
export const maxCandidates = 100;
/** A word that more books have is not looked up: it says little, and the look-up would take long. */
const maxBooksOfWord = 2_000;

export type ReadBooks = (patterns: readonly string[]) => Promise<readonly RankedBook[]>;

export async function findWithoutWrongWords(
  vocabulary: Vocabulary,
  { typedWords, words }: SearchQuery,
  similar: Corrections['similar'],
  read: ReadBooks,
): Promise<string | undefined> {
  const meant = [...similar.values()].flatMap((text) => text.split(' '));
  const anchors = anchorsOf(await vocabulary.countBooks([...new Set(meant)]));
  const books = await Promise.all(lookUpsOf(anchors).map(read));
  const meanings = books
    .flat()
    .flatMap((book) => {
      const isInBook = (text: string) => latinWords(text).every((word) => hasWord(book, word));
      const found = words.filter((word) => isInBook(similar.get(word) ?? word));
      const text = typedWords
        .filter((typed) => found.includes(latinWords(typed)[0] ?? ''))
        .map((typed) => meaningOf(typed, similar))
        .join(' ');
      const query = readQuery(text);
      return query && found.length * 2 >= words.length
        ? [{ text, found: found.length, rank: rankOf(query, book), book }]
        : [];
    })
    .sort((one, other) => other.found - one.found || compareMatches(one, other));
  const [best] = meanings;
  // One of two words says little, unless it is a whole title or author, or no book has the other word.
  const isTelling =
    words.length > 2 || similar.size === 1 || (best?.rank ?? ranks.anywhere) <= ranks.authorEqual;
  return isTelling ? best?.text : undefined;
}

/** A long word may be half typed, so it also matches the start of a word. */
const hasWord = ({ searchText }: RankedBook, word: string): boolean =>
  searchText.includes(word.length < minCountedLength ? ` ${word} ` : ` ${word}`);

type Anchor = { word: string; books: number };

const anchorsOf = (counts: ReadonlyMap<string, number>): Anchor[] =>
  [...counts]
    .flatMap(([word, books]) => (books > 0 ? { word, books } : []))
    .sort((one, other) => one.books - other.books || (one.word < other.word ? -1 : 1))
    .slice(0, maxAnchors);

/** @returns the patterns of each look-up. Looking up pairs of three words finds books that lack one of the three. */
function lookUpsOf(anchors: readonly Anchor[]): string[][] {
  const whole = ({ word }: Anchor) => ` ${word} `;
  return anchors.slice(0, 2).flatMap((anchor, index) => {
    if (anchor.books > maxBooksOfWord) return [];
    const isAlone = anchor.books <= maxCandidates || anchors.length < maxAnchors;
    const others = anchors.slice(index + 1);
    return isAlone ? [[whole(anchor)]] : others.map((other) => [whole(anchor), whole(other)]);
  });
}
