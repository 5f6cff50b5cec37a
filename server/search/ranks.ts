/** How well a book matches a query: what the order `best` sorts by, on both engines. */

import type { SearchQuery } from './search-text.ts';
import { noSales, type SoldCounts } from './sold-counts.ts';

/** The columns of a book that decide its rank. */
type RankedBook = {
  id: string;
  seq: number;
  titleKey: string | null;
  authorKey: string | null;
  searchText: string;
};

/**
 * Ranks, the best first. A word is begun when a word of the book begins with it: the visitor is still typing. `InTitleOrAuthor` leaves
 * out series, further authors and keywords.
 */
export const ranks = {
  titleEqual: 0,
  authorEqual: 1,
  titleBeginsWithWords: 2,
  titleBeginsWithLetters: 3,
  wordsWholeInTitleOrAuthor: 4,
  wordsWhole: 5,
  wordsBegunInTitleOrAuthor: 6,
  wordsBegun: 7,
  anywhere: 8,
  /** A book that is in the range of the query's key, and does not match. */
  none: 9,
} as const;

/** @param book one that has all patterns of the query, or is in the range of its key. @returns one of {@link ranks}. */
export function rankOf(
  { words, patterns, isByLetter, key, keyWithoutSeries }: SearchQuery,
  { titleKey, authorKey, searchText }: Omit<RankedBook, 'id'>,
): number {
  const title = titleKey ?? '';
  const author = authorKey ?? '';
  const hasPatterns = () => patterns.every((pattern) => searchText.includes(pattern));
  if (isByLetter && !hasPatterns()) return ranks.none;
  const hasSeriesToo = title === keyWithoutSeries && hasPatterns();
  if (title === key || hasSeriesToo) return ranks.titleEqual;
  if (author === key) return ranks.authorEqual;
  if (title.startsWith(`${key} `)) return ranks.titleBeginsWithWords;
  if (title.startsWith(key)) return ranks.titleBeginsWithLetters;
  const titleAndAuthor = ` ${title} ${author} `;
  if (words.every((word) => titleAndAuthor.includes(` ${word} `))) return ranks.wordsWholeInTitleOrAuthor;
  if (words.every((word) => searchText.includes(` ${word} `))) return ranks.wordsWhole;
  if (words.every((word) => titleAndAuthor.includes(` ${word}`))) return ranks.wordsBegunInTitleOrAuthor;
  return words.every((word) => searchText.includes(` ${word}`)) ? ranks.wordsBegun : ranks.anywhere;
}

type Match = { rank: number; book: RankedBook };

/** Sorts by rank, then by sales, then the shorter title, then the newest. */
export function compareMatches(one: Match, other: Match, sold: SoldCounts = noSales): number {
  return (
    one.rank - other.rank ||
    (sold.get(other.book.id) ?? 0) - (sold.get(one.book.id) ?? 0) ||
    (one.book.titleKey?.length ?? 0) - (other.book.titleKey?.length ?? 0) ||
    other.book.seq - one.book.seq
  );
}
