import { compareVolumes } from '../../contract/series.ts';
import { type SearchQuery, seriesPattern } from './search-text.ts';

export type RankedBook = {
  id: string;
  seq: number;
  titleKey: string | null;
  authorKey: string | null;
  searchText: string;
  seriesNumber: string | null;
};

/** The number of sales by the book's id; books with few sales are missing. */
export type SoldCounts = ReadonlyMap<string, number>;
export const noSales: SoldCounts = new Map();

/** The ranks, best first. A begun word is the start of a word of the book, still being typed. `InTitleOrAuthor` excludes series and keywords. */
export const ranks = {
  titleEqual: 0,
  authorEqual: 1,
  firstInSeries: 2,
  inSeries: 3,
  titleSpacedOtherwise: 4,
  titleBeginsWithWords: 5,
  titleBeginsWithLetters: 6,
  wordsWholeInTitleOrAuthor: 7,
  wordsWhole: 8,
  wordsBegunInTitleOrAuthor: 9,
  wordsBegun: 10,
  anywhere: 11,
} as const;

export function rankOf({ words, key, keyWithoutSeries }: SearchQuery, book: RankedBook): number {
  const [title, author] = [book.titleKey ?? '', book.authorKey ?? ''];
  const isInSeries = book.searchText.includes(seriesPattern(key.replaceAll(' ', '-')));
  // A later volume, or a box set, may have the name of its series as its title: the first volume comes before it.
  const isLater = isInSeries && book.seriesNumber !== '1';
  if (!isLater && (title === key || title === keyWithoutSeries)) return ranks.titleEqual;
  if (author === key) return ranks.authorEqual;
  if (isInSeries) return isLater ? ranks.inSeries : ranks.firstInSeries;
  if (title.replaceAll(' ', '') === key.replaceAll(' ', '')) return ranks.titleSpacedOtherwise;
  if (title.startsWith(`${key} `)) return ranks.titleBeginsWithWords;
  if (title.startsWith(key)) return ranks.titleBeginsWithLetters;
  const titleAndAuthor = ` ${title} ${author} `;
  const areIn = (text: string, end: string) => words.every((word) => text.includes(` ${word}${end}`));
  if (areIn(titleAndAuthor, ' ')) return ranks.wordsWholeInTitleOrAuthor;
  if (areIn(book.searchText, ' ')) return ranks.wordsWhole;
  if (areIn(titleAndAuthor, '')) return ranks.wordsBegunInTitleOrAuthor;
  return areIn(book.searchText, '') ? ranks.wordsBegun : ranks.anywhere;
}

export type Match<Book extends RankedBook = RankedBook> = { rank: number; book: Book };

export function compareMatches(one: Match, other: Match, sold: SoldCounts = noSales): number {
  return (
    one.rank - other.rank ||
    (one.rank === ranks.inSeries && compareVolumes(one.book, other.book)) ||
    (sold.get(other.book.id) ?? 0) - (sold.get(one.book.id) ?? 0) ||
    (one.book.titleKey?.length ?? 0) - (other.book.titleKey?.length ?? 0) ||
    other.book.seq - one.book.seq
  );
}
