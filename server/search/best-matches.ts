/**
 * The pages of a search in the order `best`. The books come in four parts: those whose title is the query, those whose author is
 * it, those whose titles begin with it, and the others that have its words. The first three are ranges of an index.
 *
 * A part is read in windows of limited size, and each window is sorted by rank (ranks.ts). So the order is exact as long as a
 * part has no more than one window of books. Further ones follow window by window: in the order of titles, or newest first
 * where that says nothing. A cursor names its window, so books that are added meanwhile neither repeat nor hide others.
 */

import { type SqlBool, sql } from 'kysely';
import {
  listNewestMatches,
  type PriceRange,
  type RankedBookForSale,
  rankedColumns,
  type SearchBounds,
} from '../catalogue/book-list.ts';
import { findPosition, type ListedBookForSale } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { compareMatches, rankOf, ranks } from './ranks.ts';
import type { SearchQuery } from './search-text.ts';
import { noSales, type SoldCounts } from './sold-counts.ts';

/** How many books are sorted together. */
const windowSize = 500;
/** Room for books that come back into a window while a visitor reads its pages. */
const windowSlack = 100;
/** How many windows are read for a page: a window may have books that match and belong to another part. */
const maxWindows = 6;
/** How many reads a window takes at most when it is read again: enough for a million books. */
const maxReads = 50;

const parts = ['title', 'author', 'beginning', 'others'] as const;
type Part = (typeof parts)[number];

const ranksOf: Readonly<Record<Part, readonly number[]>> = {
  title: [ranks.titleEqual],
  author: [ranks.authorEqual],
  beginning: [ranks.titleBeginsWithWords, ranks.titleBeginsWithLetters],
  others: [
    ranks.wordsWholeInTitleOrAuthor,
    ranks.wordsWhole,
    ranks.wordsBegunInTitleOrAuthor,
    ranks.wordsBegun,
    ranks.anywhere,
  ],
};

/** The place where a page goes on. All but `part` are ids of books. */
export type BestPlace = {
  part: Part;
  /** The first book of the window, in the order in which it was read; none for the window after `end`. */
  first?: string | undefined;
  /** The last book that was read for the window; none at the end of the part. */
  end?: string | undefined;
  /** The last book of the window that earlier pages have listed. */
  listed?: string | undefined;
  /** The newest book of the store at the first page: those that are added afterwards are not listed. */
  newest?: string | undefined;
};

const placeFields = ['part', 'first', 'end', 'listed', 'newest'] as const;
const separator = '.';

/** @returns the text of a cursor. */
export const writePlace = (place: BestPlace): string =>
  placeFields.map((field) => place[field] ?? '').join(separator);

/** @returns true if a cursor is the text of a place, and not the id of a book. */
export const isPlace = (cursor: string): boolean => cursor.includes(separator);

/** @returns undefined for a text that {@link writePlace} does not write. */
export function readPlace(cursor: string): BestPlace | undefined {
  const fields = cursor.split(separator);
  const [part, first, end, listed, newest] = fields.map((field) => field || undefined);
  const known = parts.find((name) => name === part);
  const isInWindow = first !== undefined && listed !== undefined;
  const isAfterWindow = first === undefined && listed === undefined;
  if (!known || fields.length !== placeFields.length || !(isInWindow || isAfterWindow)) return undefined;
  return { part: known, first, end, listed, newest };
}

/** Conditions of a list besides its words; without patterns and prices all of them are listed. */
export type BookFilter = {
  /** Those of subjects, from `subjectPattern`. */
  patterns: readonly string[];
  prices: PriceRange | undefined;
};
const noFilter: BookFilter = { patterns: [], prices: undefined };

/** The books that a page lists. */
type BestQuery = {
  query: SearchQuery;
  /** A list with a filter has only the last part: a range of an index may have many books and few of the filter. */
  filter?: BookFilter;
  /** It decides between equal ranks. */
  sold?: SoldCounts;
  /** How many books at most. */
  limit: number;
  /** Undefined for the first page. */
  place: BestPlace | undefined;
};

/** A page of books, and where the next one goes on; undefined on the last page. */
type BestPage = { books: ListedBookForSale[]; next: BestPlace | undefined };

/** Limits, for tests. */
export type BestBounds = { windowSize: number; search?: SearchBounds };

/**
 * Lists the books for sale that match a query, the best match first. A page may be short or empty although a next one follows.
 * @returns undefined for a place that names a book which never was, or a part that the list does not have.
 */
export async function listBestMatches(
  db: Db,
  { query, filter = noFilter, sold = noSales, limit, place: given }: BestQuery,
  bounds: BestBounds = { windowSize },
): Promise<BestPage | undefined> {
  const isFiltered = filter.patterns.length > 0 || filter.prices !== undefined;
  const firstPart = isFiltered ? 'others' : 'title';
  const place = given ?? { part: firstPart };
  if (isFiltered && place.part !== firstPart) return undefined;
  const search: Search = { ...query, sold, filter, isFiltered };
  const newestBook = place.newest === undefined ? await findNewest(db) : undefined;
  const { newest = newestBook?.id } = place;
  /** The books of places that were read. They are not read again for each window. */
  const known: RankedBookForSale[] = newestBook ? [newestBook] : [];
  const books: ListedBookForSale[] = [];
  let next: BestPlace | undefined;
  let current: BestPlace = place;
  for (let windows = 1; ; windows += 1) {
    const { part } = current;
    const window = await readWindow(db, search, { ...current, newest }, bounds, known);
    if (!window) return undefined;
    const { first, end } = window;
    for (const { book } of window.matches) {
      if (books.length === limit) return { books, next };
      books.push(book);
      next = { part, first, end, listed: book.id, newest };
    }
    const following = end === undefined ? partAfter(part) : { part, end };
    // The last part gives one window to a page: it may have many books and few matches.
    if (!following || part === 'others' || windows === maxWindows)
      return { books, next: following && { ...following, newest } };
    current = following;
  }
}

const findNewest = (db: Db): Promise<RankedBookForSale | undefined> =>
  db.selectFrom('books').select(rankedColumns).orderBy('seq', 'desc').limit(1).executeTakeFirst();

const partAfter = (part: Part): BestPlace | undefined => {
  const next = parts[parts.indexOf(part) + 1];
  return next && { part: next };
};

type Search = SearchQuery & { filter: BookFilter; isFiltered: boolean; sold: SoldCounts };

type Match = { rank: number; book: RankedBookForSale };
type Window = Pick<BestPlace, 'first' | 'end'> & {
  /** Those that earlier pages have not listed, the best first. */
  matches: Match[];
};

async function readWindow(
  db: Db,
  search: Search,
  place: BestPlace,
  bounds: BestBounds,
  known: RankedBookForSale[],
): Promise<Window | undefined> {
  const { part } = place;
  const named = await findNamed(db, place, known);
  if (!named) return undefined;
  const read =
    part === 'others'
      ? await readOthers(db, search, named, bounds)
      : await readRange(db, part, search, named, bounds);
  const toMatch = (book: RankedBookForSale): Match => ({ rank: rankOf(search, book), book });
  const compare = (one: Match, other: Match) => compareMatches(one, other, search.sold);
  const isInPart = ({ rank }: Match) =>
    search.isFiltered ? rank !== ranks.none : ranksOf[part].includes(rank);
  const listed = named.listed && toMatch(named.listed);
  const matches = read.books
    .map(toMatch)
    .filter((match) => isInPart(match) && !(listed && compare(match, listed) <= 0))
    .sort(compare);
  return {
    first: place.first ?? read.books[0]?.id,
    end: place.first === undefined ? read.end : place.end,
    matches,
  };
}

type Named = Partial<Record<'first' | 'end' | 'listed' | 'newest', RankedBookForSale>>;
type Read = { books: RankedBookForSale[]; end: string | undefined };

/**
 * @param known gets those that are read.
 * @returns the books that a place names, also removed ones; undefined if one of them never was.
 */
async function findNamed(
  db: Db,
  { first, end, listed, newest }: BestPlace,
  known: RankedBookForSale[],
): Promise<Named | undefined> {
  const ids = Object.entries({ first, end, listed, newest }).flatMap(([name, id]) =>
    id === undefined ? [] : [[name, id] as const],
  );
  const findKnown = (id: string) => known.find((row) => row.id === id);
  const unknown = ids.flatMap(([, id]) => (findKnown(id) ? [] : [id]));
  if (unknown.length > 0) {
    const rows = await db.selectFrom('books').select(rankedColumns).where('id', 'in', unknown).execute();
    known.push(...rows);
  }
  const named = ids.map(([name, id]) => [name, findKnown(id)] as const);
  return named.every(([, row]) => row) ? Object.fromEntries(named) : undefined;
}

/** The greatest character: after every text that begins with the same letters. */
const greatest = '\u{10ffff}';

/** Reads a window of the first three parts. */
async function readRange(
  db: Db,
  part: Exclude<Part, 'others'>,
  { key, keyWithoutSeries = key }: Search,
  { first, end, newest }: Named,
  { windowSize }: BestBounds,
): Promise<Read> {
  const column = part === 'author' ? 'author_key' : 'title_key';
  const keyOf = ({ titleKey, authorKey }: RankedBookForSale) =>
    (part === 'author' ? authorKey : titleKey) ?? '';
  const inPart = sql<SqlBool>`${
    part === 'beginning'
      ? sql`${sql.ref(column)} > ${key} and ${sql.ref(column)} < ${key + greatest}`
      : sql`${sql.ref(column)} in (${sql.join(part === 'title' ? [key, keyWithoutSeries] : [key])})`
  }`;
  const compare = (operator: '>=' | '>' | '<=', book: RankedBookForSale) =>
    sql<SqlBool>`(${sql.ref(column)}, seq) ${sql.raw(operator)} (${keyOf(book)}, ${book.seq})`;
  let range = db.selectFrom('books').where('removed_at', 'is', null).where(inPart);
  if (newest) range = range.where('seq', '<=', newest.seq);
  if (first) range = range.where(compare('>=', first));
  if (end) range = range.where(compare(first ? '<=' : '>', end));
  const books = await range
    .select(rankedColumns)
    .orderBy(column)
    .orderBy('seq')
    .limit(first ? windowSize + windowSlack : windowSize + 1)
    .execute();
  if (first || books.length <= windowSize) return { books, end: undefined };
  return { books: books.slice(0, windowSize), end: books[windowSize - 1]?.id };
}

/** Reads a window of the last part, newest first. */
async function readOthers(
  db: Db,
  { filter, ...query }: Search,
  { first, end, newest }: Named,
  { windowSize, search }: BestBounds,
): Promise<Read> {
  const matching = { patterns: [...query.patterns, ...filter.patterns], prices: filter.prices };
  // The window begins with `first` or `newest` itself.
  const from = first ?? (end ? undefined : newest);
  const after = from ? { seq: from.seq + 1 } : end;
  const limit = first ? windowSize + windowSlack : windowSize;
  let { books, nextCursor } = await listNewestMatches(db, { ...matching, limit, after }, search);
  // A window that is read again may be read by another plan, which ends before the window does.
  for (let reads = 1; first && nextCursor && books.length < limit && reads < maxReads; reads += 1) {
    const last = await findPosition(db, nextCursor);
    if (!last || (end && last.seq <= end.seq)) break;
    const next = await listNewestMatches(
      db,
      { ...matching, limit: limit - books.length, after: last },
      search,
    );
    books = [...books, ...next.books];
    nextCursor = next.nextCursor;
  }
  return { books: first && end ? books.filter(({ seq }) => seq >= end.seq) : books, end: nextCursor };
}
