/** `GET /books` with a query: the order of the matches, the place of a page, and misspelt words. */

import type { BooksQuery } from '../../contract/book.ts';
import { readIsbn } from '../../contract/isbn.ts';
import { amountToCents, maxCents } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { type BookPage, type ListOrder, listBooks, type PriceRange } from '../catalogue/book-list.ts';
import { type BookPosition, findPosition } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { fieldProblem } from '../http/problems.ts';
import { type BookFilter, isPlace, listBestMatches, readPlace, writePlace } from './best-matches.ts';
import { type Forgiven, forgive } from './forgive.ts';
import { foldText, readQuery, type SearchQuery, subjectPattern } from './search-text.ts';
import { noSales, type SoldCounts } from './sold-counts.ts';

type PageRequest = Omit<BooksQuery, 'q'> & { query: SearchQuery; sold: SoldCounts };

/**
 * Lists a page of books: all of them, or those that match. An ISBN finds its books however it is written, and otherwise what its
 * words find, such as keywords. When the first page of a search finds nothing, it lists what similar
 * words of the catalogue find, or what is found without the words that the nearest book lacks.
 * @param sold decides between equal matches.
 * @throws {Problem} VALIDATION_FAILED for a cursor that no page has given out, and for prices in the wrong order.
 */
export async function findBooks(
  db: Db,
  { q = '', ...request }: BooksQuery,
  sold: SoldCounts = noSales,
): Promise<Forgiven<BookPage>> {
  const query = readQuery(q);
  if (!query) return await listAll(db, request);
  const page = await findAsTyped(db, { q, ...request }, sold);
  if (request.cursor || (page.books.length > 0 && readIsbn(q))) return page;
  const { spelling } = request;
  return await forgive(db, page, {
    query,
    spelling,
    list: (other, isWhole) =>
      findAsTyped(db, { ...request, q: other, ...(isWhole ? { limit: maxPageSize } : {}) }, sold),
  });
}

/** Lists a page of the books that have all words of a query; none for a query without a word. */
export async function findAsTyped(
  db: Db,
  { q = '', ...request }: BooksQuery,
  sold: SoldCounts = noSales,
): Promise<BookPage> {
  const ofIsbn = readQuery(readIsbn(q) ?? '');
  const pageOfIsbn = ofIsbn && (await listMatches(db, { ...request, query: ofIsbn, sold }));
  if (pageOfIsbn && (pageOfIsbn.books.length > 0 || request.cursor)) return pageOfIsbn;
  const query = readQuery(q);
  return query ? await listMatches(db, { ...request, query, sold }) : { books: [], nextCursor: undefined };
}

async function listAll(db: Db, { sort, limit = maxPageSize, ...request }: BooksQuery): Promise<BookPage> {
  const order = sort === 'best' ? 'newest' : (sort ?? 'newest');
  const { patterns, prices } = filterOf(request);
  const after = await findAfter(db, order, request);
  return await listBooks(db, { sort: order, limit, patterns, prices, after });
}

async function listMatches(
  db: Db,
  { query, sort: requestedSort, limit = maxPageSize, sold, ...request }: PageRequest,
): Promise<BookPage> {
  const { cursor } = request;
  const filter = filterOf(request);
  // A version without the order `best` listed matches newest first, with the id of a book as the cursor.
  const isOldCursor = requestedSort === undefined && cursor !== undefined && !isPlace(cursor);
  const sort = requestedSort ?? (isOldCursor ? 'newest' : 'best');
  if (sort !== 'best') {
    const after = await findAfter(db, sort, request);
    const patterns = [...query.patterns, ...filter.patterns];
    return await listBooks(db, { sort, limit, patterns, prices: filter.prices, after });
  }
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) throw wrongCursor();
  const page = await listBestMatches(db, { query, filter, sold, limit, place });
  if (!page) throw wrongCursor();
  return { books: page.books, nextCursor: page.next && writePlace(page.next) };
}

function filterOf({ subject, minPrice, maxPrice }: BooksQuery): BookFilter {
  const patterns = subject === undefined ? [] : [subjectPattern(subject)];
  if (minPrice === undefined && maxPrice === undefined) return { patterns, prices: undefined };
  const prices: PriceRange = {
    minCents: amountToCents(minPrice ?? '0') ?? 0,
    maxCents: (maxPrice === undefined ? undefined : amountToCents(maxPrice)) ?? maxCents,
  };
  if (prices.minCents > prices.maxCents) throw fieldProblem('maxPrice', 'Must not be below minPrice.');
  return { patterns, prices };
}

/** @returns where a page begins: behind a book, before the first one from some letters on, or, undefined, at the first book. */
async function findAfter(
  db: Db,
  sort: ListOrder,
  { cursor, from }: BooksQuery,
): Promise<BookPosition | undefined> {
  if (cursor === undefined) {
    const isByLetters = sort === 'title' || sort === 'author';
    const letters = from === undefined || !isByLetters ? '' : foldText(from);
    return letters ? { seq: 0, titleSort: letters, authorSort: letters, priceCents: 0 } : undefined;
  }
  const after = await findPosition(db, cursor);
  if (!after) throw wrongCursor();
  return after;
}

const wrongCursor = () => fieldProblem('cursor', 'Take it from the Link header of a page.');
