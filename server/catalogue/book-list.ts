/**
 * The pages of the catalogue and of its searches. A search reads a limited number of books, whatever it finds:
 *
 * 1. If few books match, the index of the text finds them all, and sorting them gives the page.
 * 2. Otherwise the catalogue is read in the requested order, from the cursor on, and filtered, until the page is full
 *    or a limit is reached. With many matches the page is soon full. If they are far away in this order, the page is
 *    short or empty, and the next one continues after the last book that was read.
 *
 * Both plans return the books in the same order, so a search may change its plan from page to page.
 */

import { type Selection, type SqlBool, sql } from 'kysely';
import type { SortOrder } from '../../contract/book.ts';
import { engineOf, type Matches, type ReadableBooks, type TextSearch } from '../database/engine.ts';
import type { Db, Tables } from '../database/tables.ts';
import { listedColumns } from './book-columns.ts';
import { type BookPosition, booksForSale, type ListedBookForSale, positionColumns } from './books.ts';

/** The orders of the whole catalogue; `best` orders the matches of a search (server/search/best-matches.ts). */
export type ListOrder = Exclude<SortOrder, 'best'>;

/** Prices in cents, both included. */
export type PriceRange = { minCents: number; maxCents: number };

/** The books that a page lists, and their order. */
type BookListQuery = {
  sort: ListOrder;
  /** How many books at most. */
  limit: number;
  /** A condition on the text of a book, from `searchPatterns` and `subjectPattern`; empty for all books. */
  patterns: readonly string[];
  /** The prices that a book may have; undefined for all. */
  prices?: PriceRange | undefined;
  /** The last book that earlier pages have read; undefined for the first page. */
  after: BookPosition | undefined;
};

/** Limits of a search. */
export type SearchBounds = {
  /** Up to this number, all matches are found and sorted. */
  fewMatches: number;
  /** How many books are read in the requested order and filtered, for a page. */
  readableBooks: ReadableBooks;
};

/** Sorting 2,000 matches, which are anywhere in the catalogue, costs as much as filtering the books of a page. */
const fewMatches = 2_000;

/** How many words the index is searched for: the longest ones. The books that it finds are then compared with the other words. */
const maxIndexedPatterns = 3;

/** The index is tried up to an estimate of this many times `fewMatches`: an estimate is often too high. */
const maxEstimateError = 20;

/** A page of books. */
export type BookPage<Book = ListedBookForSale> = {
  books: Book[];
  /** The id to pass as the next page's cursor; undefined on the last page. */
  nextCursor: string | undefined;
};

/** The columns of a book for sale, and those that decide its rank among the matches of a search. */
export const rankedColumns = [
  ...listedColumns,
  'seq',
  'title_key as titleKey',
  'author_key as authorKey',
  'search_text as searchText',
] as const;

/** A book for sale with what decides its rank. */
export type RankedBookForSale = Selection<Tables, 'books', (typeof rankedColumns)[number]>;

type Columns = readonly (typeof rankedColumns)[number][];
/** A query for a page with these columns. The type of a page has all of them: only {@link listNewestMatches} reads them all. */
type PageQuery = BookListQuery & { columns: Columns };
type Page = BookPage<RankedBookForSale>;

/**
 * Lists books for sale. A page of a search may be short or empty although another page follows: see the top of this file.
 * @param bounds for tests.
 */
export const listBooks = (db: Db, query: BookListQuery, bounds?: SearchBounds): Promise<BookPage> =>
  listPage(db, { ...query, columns: listedColumns }, bounds);

/** Lists the newest books that match, as {@link listBooks} does, with what decides their rank. */
export const listNewestMatches = (
  db: Db,
  {
    after,
    ...query
  }: Pick<BookListQuery, 'limit' | 'patterns' | 'prices'> & { after: { seq: number } | undefined },
  bounds?: SearchBounds,
): Promise<Page> => {
  const position = after && { seq: after.seq, titleSort: '', authorSort: '', priceCents: 0 };
  return listPage(db, { ...query, sort: 'newest', after: position, columns: rankedColumns }, bounds);
};

/** @returns a query of the next books in an order, one more than a page has; in an order of prices only those of `prices`. */
export const orderedBooks = (db: Db, { sort, after, prices, limit, columns }: Omit<PageQuery, 'patterns'>) =>
  inOrder(booksForSale(db), sort, { after, prices })
    .select(columns)
    .limit(limit + 1);

async function listPage(
  db: Db,
  query: PageQuery,
  bounds: SearchBounds = { fewMatches, readableBooks: engineOf(db).readableBooks },
): Promise<Page> {
  const { sort, limit, patterns, prices, after } = query;
  if (patterns.length === 0 && (!prices || isByPrice(sort)))
    return pageOf(await orderedBooks(db, query).execute(), limit);

  const longestFirst = patterns.toSorted((one, other) => other.length - one.length);
  const isIndexed = (pattern: string, index: number) =>
    index < maxIndexedPatterns && [...pattern].length >= 3;
  const search = { patterns: longestFirst.filter(isIndexed), max: bounds.fewMatches };
  const others = longestFirst.filter((pattern, index) => !isIndexed(pattern, index));
  const { newestFirst, byTitleOrPrice } = bounds.readableBooks;
  const maxBooks = sort === 'newest' ? newestFirst : byTitleOrPrice;
  if (search.patterns.length === 0) {
    const page = prices && patterns.length === 0 && (await findPageByPrices(db, query, prices, bounds));
    return page || (await readInOrder(db, query, maxBooks));
  }
  const findPage = () => findPageByIndex(db, query, search, others);
  const estimate = await engineOf(db).estimateMatches(db, search);
  const areFewExpected = estimate <= bounds.fewMatches;
  const page = areFewExpected ? await findPage() : undefined;
  if (page) return page;

  // The estimate may be too high: the catalogue may have few books with these words together, or none. Only the first
  // page tries the index for this.
  const mayBeFew = !areFewExpected && !after && estimate <= bounds.fewMatches * maxEstimateError;
  return await readInOrder(db, query, maxBooks, mayBeFew ? findPage : undefined);
}

/**
 * Reads up to `maxBooks` in the requested order, and filters them: a quarter first, and the rest if the page is not
 * full.
 * @param findPage called when the first part has no match. If it finds no page either, only another quarter is read:
 * looking for it has cost as much as the rest.
 */
async function readInOrder(
  db: Db,
  query: PageQuery,
  maxBooks: number,
  findPage?: () => Promise<Page | undefined>,
): Promise<Page> {
  const firstBooks = Math.ceil(maxBooks / 4);
  const first = await readPart(db, query, firstBooks);
  if (first.books.length === query.limit || !first.last) return first;
  const isIndexTried = findPage !== undefined && first.books.length === 0;
  const found = isIndexTried ? await findPage() : undefined;
  if (found) return found;
  const rest = { ...query, limit: query.limit - first.books.length, after: first.last };
  const { books, nextCursor } = await readPart(db, rest, isIndexTried ? firstBooks : maxBooks - firstBooks);
  return { books: [...first.books, ...books], nextCursor };
}

const pageOf = (found: readonly RankedBookForSale[], limit: number): Page => {
  const books = found.slice(0, limit);
  return { books, nextCursor: found.length > limit ? books.at(-1)?.id : undefined };
};

/** @returns undefined if there are too many books of these prices to sort them. */
async function findPageByPrices(
  db: Db,
  query: PageQuery,
  prices: PriceRange,
  { fewMatches }: SearchBounds,
): Promise<Page | undefined> {
  const found = await inOrder(booksForSale(db), 'price', { after: undefined, prices })
    .select('seq')
    .limit(fewMatches + 1)
    .execute();
  if (found.length > fewMatches) return undefined;
  const matches = { count: found.length, items: JSON.stringify(found) };
  return pageOf(await sortMatches(db, query, matches, []), query.limit);
}

/**
 * @param patterns those that the index is not searched for.
 * @returns undefined if the index does not find the page, because there are too many matches.
 */
async function findPageByIndex(
  db: Db,
  query: PageQuery,
  search: TextSearch,
  patterns: readonly string[],
): Promise<Page | undefined> {
  const isInOrder = query.sort === 'newest' && engineOf(db).findsNewestFirst;
  const max =
    isInOrder && patterns.length === 0 && !query.prices ? Math.min(query.limit, search.max) : search.max;
  const matches = await engineOf(db).findMatches(
    db,
    { ...search, max },
    isInOrder ? query.after?.seq : undefined,
  );
  const areAll = matches.count <= max;
  if (!areAll && !isInOrder) return undefined;
  const page = pageOf(await sortMatches(db, query, matches, patterns), query.limit);
  return areAll || page.nextCursor ? page : undefined;
}

/** The condition that a book has one of these prices. No index has the sum, so the books are not read in the order of prices. */
const hasPrice = ({ minCents, maxCents }: PriceRange) =>
  sql<SqlBool>`price_cents + 0 between ${minCents} and ${maxCents}`;

const matchingBooks = (db: Db, { sort, prices }: PageQuery, patterns: readonly string[]) => {
  const books = booksForSale(db).where(engineOf(db).hasPatterns(patterns));
  return prices && !isByPrice(sort) ? books.where(hasPrice(prices)) : books;
};

/** @param patterns those that the matches have not been searched for. */
async function sortMatches(
  db: Db,
  query: PageQuery,
  matches: Matches,
  patterns: readonly string[],
): Promise<RankedBookForSale[]> {
  const { sort, limit, prices, after, columns } = query;
  if (matches.count === 0) return [];
  const items = engineOf(db).itemTable(matches.items, { seq: 'bigint' });
  const books = matchingBooks(db, query, patterns).where(
    'seq',
    'in',
    db.selectFrom(items).select('item.seq'),
  );
  return await inOrder(books, sort, { after, prices })
    .select(columns)
    .limit(limit + 1)
    .execute();
}

/**
 * Reads a number of books in the requested order, and filters them.
 * @returns the page, and the last book that was read; undefined at the end of the catalogue.
 */
async function readPart(
  db: Db,
  query: PageQuery,
  rows: number,
): Promise<Page & { last: BookPosition | undefined }> {
  const { sort, limit, patterns, prices, after, columns } = query;
  // The position is looked up first: a book that is added meanwhile cannot move it past books that were not read.
  const last = await findPositionAfter(db, query, rows);
  const part = inOrder(matchingBooks(db, query, patterns), sort, { after, upTo: last, prices });
  const found = await part
    .select(columns)
    .limit(limit + 1)
    .execute();
  const page = pageOf(found, limit);
  return { ...page, nextCursor: page.nextCursor ?? last?.id, last };
}

/** @returns the position of the last of `rows` books after the cursor; undefined if there are fewer. */
const findPositionAfter = (db: Db, { sort, after, prices }: PageQuery, rows: number) =>
  db
    .selectFrom('books')
    .select([...positionColumns, 'id'])
    // A subquery, so that the database counts the rows before in the index alone.
    .where(
      'seq',
      '=',
      inOrder(booksForSale(db), sort, { after, prices })
        .select('seq')
        .limit(1)
        .offset(rows - 1),
    )
    .executeTakeFirst();

type Books = ReturnType<typeof booksForSale>;

type PagedOrder = {
  column: 'title_sort' | 'author_sort' | 'price_cents';
  keyOf(position: BookPosition): string | number | null;
  isDescending?: boolean;
};

/** The orders by a column, and by `seq` among equal ones. Each has an index. */
const pagedOrders: Readonly<Partial<Record<ListOrder, PagedOrder>>> = {
  title: { column: 'title_sort', keyOf: ({ titleSort }) => titleSort },
  author: { column: 'author_sort', keyOf: ({ authorSort }) => authorSort },
  price: { column: 'price_cents', keyOf: ({ priceCents }) => priceCents },
  'price-desc': { column: 'price_cents', keyOf: ({ priceCents }) => priceCents, isDescending: true },
};

const isByPrice = (sort: ListOrder): boolean => pagedOrders[sort]?.column === 'price_cents';

type Range = {
  after: BookPosition | undefined;
  upTo?: BookPosition | undefined;
  prices?: PriceRange | undefined;
};

/**
 * The books of an order that follow the position `after`, up to `upTo` and with its book. In an order of prices only those of
 * `prices`: each end of the range has one condition, because SQLite would begin at either of two.
 */
function inOrder(books: Books, sort: ListOrder, { after, upTo, prices }: Range): Books {
  const order = pagedOrders[sort];
  if (!order) {
    const following = after ? books.where('seq', '<', after.seq) : books;
    return (upTo ? following.where('seq', '>=', upTo.seq) : following).orderBy('seq', 'desc');
  }
  const { column, keyOf, isDescending = false } = order;
  const [isBehind, isUpTo] = isDescending ? (['<', '>='] as const) : (['>', '<='] as const);
  const compare = (compared: Books, operator: '<' | '>' | '<=' | '>=', position: BookPosition) =>
    compared.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(column, 'seq'), operator, tuple(keyOf(position) ?? '', position.seq)),
    );
  const range = column === 'price_cents' ? prices : undefined;
  const { minCents, maxCents } = range ?? { minCents: 0, maxCents: 0 };
  const [start, end] = isDescending ? [maxCents, minCents] : [minCents, maxCents];
  const isBeforeStart = ({ priceCents }: BookPosition) =>
    isDescending ? priceCents > start : priceCents < start;
  const isFrom = isDescending ? '<=' : '>=';
  let part = column === 'author_sort' ? books.where(column, 'is not', null) : books;
  if (after && !(range && isBeforeStart(after))) part = compare(part, isBehind, after);
  else if (range) part = part.where(column, isFrom, start);
  if (upTo) part = compare(part, isUpTo, upTo);
  else if (range) part = part.where(column, isUpTo, end);
  const direction = isDescending ? 'desc' : 'asc';
  return part.orderBy(column, direction).orderBy('seq', direction);
}
