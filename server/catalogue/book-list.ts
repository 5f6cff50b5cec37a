/**
 * The pages of the catalogue and of its searches. A search reads a limited number of books, whatever it finds: where the index finds few
 * books they are sorted, and otherwise books are read in the requested order, and compared.
 */

import { type Selection, type SqlBool, sql } from 'kysely';
import type { SortOrder } from '../../contract/book-search.ts';
import { engineOf } from '../database/engine.ts';
import { cutPage } from '../database/row-pages.ts';
import type { Db, Tables } from '../database/tables.ts';
import { listedColumns } from './book-columns.ts';
import { type BookPosition, booksForSale, positionColumns } from './books.ts';

/** The orders of the whole catalogue; `best` orders the matches of a search (best-matches.ts). */
export type ListOrder = Exclude<SortOrder, 'best'>;

export type PriceRange = { minCents: number; maxCents: number };

export type BookListQuery = {
  sort: ListOrder;
  limit: number;
  /** The texts that a book's search text must all contain, from `searchPatterns` and `subjectPattern`. */
  patterns: readonly string[];
  prices?: PriceRange | undefined;
  after?: BookPosition | undefined;
};

/** How many books are read for a page: `found` by an index, or in the requested `order`. A small core of 2026 takes 20 ms for them. */
const maxRead = { found: 2_000, order: 10_000 };

/** How many words the index is searched for: the longest ones. The books that it finds are then compared with the other words. */
const maxIndexedPatterns = 3;

/** The columns of a book for sale, and those that decide its rank among the matches of a search. */
export const rankedColumns = [
  ...listedColumns,
  'seq',
  'title_key as titleKey',
  'author_key as authorKey',
  'search_text as searchText',
] as const;
export type RankedBookForSale = Selection<Tables, 'books', (typeof rankedColumns)[number]>;

export type BookPage<Book = RankedBookForSale> = {
  books: Book[];
  /** The id to pass as the next page's cursor; undefined on the last page. */
  nextCursor: string | undefined;
};

/**
 * Lists books for sale. A page of a search may be short or empty, although another page follows. @param max how many books are read at
 * most; other than the default in tests alone.
 */
export async function listBooks(db: Db, query: BookListQuery, max = maxRead): Promise<BookPage> {
  const { sort, limit, patterns, prices } = query;
  if (patterns.length === 0 && (!prices || isByPrice(sort)))
    return pageOf(await orderedBooks(db, query).execute(), limit);
  const found = await findByIndex(db, query, max.found);
  if (!found) return await readInOrder(db, query, max.order);
  if (found.length === 0) return { books: [], nextCursor: undefined };
  const items = engineOf(db).itemTable(found, { seq: 'bigint' });
  const books = matchingBooks(db, query).where('seq', 'in', db.selectFrom(items).select('item.seq'));
  return pageOf(await inOrder(books, query).select(rankedColumns).execute(), limit);
}

export const orderedBooks = (db: Db, query: Omit<BookListQuery, 'patterns'>) =>
  inOrder(booksForSale(db), query).select(rankedColumns);

const pageOf = (found: readonly RankedBookForSale[], limit: number): BookPage => {
  const { items: books, last } = cutPage(found, limit);
  return { books, nextCursor: last?.id };
};

/** @returns all books that may match, found by the index of the text or of the prices; undefined for more than `max`, or if no index applies. */
async function findByIndex(
  db: Db,
  { patterns, prices }: BookListQuery,
  max: number,
): Promise<{ seq: number }[] | undefined> {
  const indexed = patterns
    .filter((pattern) => [...pattern].length >= 3)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, maxIndexedPatterns);
  if (indexed.length === 0 && (patterns.length > 0 || !prices)) return undefined;
  if (indexed.length > 0) return await engineOf(db).findMatches(db, indexed, max);
  const found = await inOrder(booksForSale(db), { sort: 'price', limit: max, prices })
    .select('seq')
    .execute();
  return found.length > max ? undefined : found;
}

async function readInOrder(db: Db, query: BookListQuery, rows: number): Promise<BookPage> {
  // The end of the page is looked up first: otherwise a book that is added meanwhile could make the next page skip books.
  const upTo = await db
    .selectFrom('books')
    .select([...positionColumns, 'id'])
    // A subquery lets the database count the preceding rows in the index alone.
    .where(
      'seq',
      '=',
      inOrder(booksForSale(db), { ...query, limit: 0 })
        .select('seq')
        .offset(rows - 1),
    )
    .executeTakeFirst();
  const found = inOrder(matchingBooks(db, query), { ...query, upTo }).select(rankedColumns);
  const page = pageOf(await found.execute(), query.limit);
  return { ...page, nextCursor: page.nextCursor ?? upTo?.id };
}

/** Finds the books that match all patterns and the prices. Without an index for both, it does not read books in the order of prices. */
export function matchingBooks(db: Db, { patterns, prices }: Pick<BookListQuery, 'patterns' | 'prices'>) {
  const books = booksForSale(db).where(engineOf(db).hasPatterns(patterns));
  if (!prices) return books;
  return books.where(sql<SqlBool>`price_cents + 0 between ${prices.minCents} and ${prices.maxCents}`);
}

const columnsOf: Readonly<
  Record<ListOrder, readonly ('title_sort' | 'author_sort' | 'price_cents' | 'seq')[]>
> = {
  newest: ['seq'],
  title: ['title_sort', 'seq'],
  author: ['author_sort', 'seq'],
  price: ['price_cents', 'seq'],
  'price-desc': ['price_cents', 'seq'],
};

const isByPrice = (sort: ListOrder): boolean => sort === 'price' || sort === 'price-desc';

type Range = Pick<BookListQuery, 'sort' | 'limit' | 'after' | 'prices'> & { upTo?: BookPosition | undefined };

/** Reads the books of an order that follow the position `after`, up to and including `upTo`, and at most one more than `limit`. */
function inOrder(books: ReturnType<typeof booksForSale>, { sort, limit, after, upTo, prices }: Range) {
  const columns = columnsOf[sort];
  const isDescending = sort === 'newest' || sort === 'price-desc';
  const compare = (operator: string, position: BookPosition) => {
    const { seq, titleSort: title_sort = '', authorSort, priceCents: price_cents = 0 } = position;
    const values = { seq, title_sort, author_sort: authorSort ?? '', price_cents };
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const bounds = sql.join(columns.map((column) => values[column]));
    return sql<SqlBool>`(${names}) ${sql.raw(operator)} (${bounds})`;
  };
  let part = sort === 'author' ? books.where('author_sort', 'is not', null) : books;
  if (prices && isByPrice(sort)) {
    part = part.where('price_cents', '>=', prices.minCents).where('price_cents', '<=', prices.maxCents);
  }
  if (after) part = part.where(compare(isDescending ? '<' : '>', after));
  if (upTo) part = part.where(compare(isDescending ? '>=' : '<=', upTo));
  for (const column of columns) part = part.orderBy(column, isDescending ? 'desc' : 'asc');
  return part.limit(limit + 1);
}
