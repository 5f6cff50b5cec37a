/** The list of `GET /books`: all books or a search, in an order, from a cursor on, with forgiveness for misspelt words. */

import type { BooksQuery } from '../../contract/book.ts';
import { readIsbn } from '../../contract/isbn.ts';
import { amountToCents, maxCents } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import type { Db } from '../database/tables.ts';
import { fieldProblem } from '../http/problems.ts';
import { type Forgiven, forgive } from '../search/forgive.ts';
import { maxCandidates, type ReadBooks } from '../search/missing-words.ts';
import { noSales, type SoldCounts } from '../search/ranks.ts';
import { foldText, readQuery, type SearchQuery, subjectPattern } from '../search/search-text.ts';
import { vocabularyOf } from '../search/words.ts';
import { listBestMatches } from './best-matches.ts';
import { type BookPage, type ListOrder, listBooks, type PriceRange } from './book-list.ts';
import { type BookPosition, findPosition } from './books.ts';

/**
 * An ISBN finds its books however it is written, and otherwise what its words find, such as keywords.
 * @throws {Problem} VALIDATION_FAILED for a cursor that no page has given out, and for prices in the wrong order.
 */
export async function findBooks(db: Db, request: BooksQuery, sold = noSales): Promise<Forgiven<BookPage>> {
  const { q = '', cursor, spelling } = request;
  const query = readQuery(q);
  if (!query) return await listInOrder(db, request, []);
  const page = await findAsTyped(db, request, sold);
  if (cursor || (page.books.length > 0 && readIsbn(q))) return page;
  return await forgive(page, {
    query,
    spelling,
    vocabulary: vocabularyOf(db),
    list: (other, isWhole) =>
      findAsTyped(db, { ...request, q: other, ...(isWhole && { limit: maxPageSize }) }, sold),
    read: readCandidates(db),
  });
}

export async function findAsTyped(db: Db, request: BooksQuery, sold = noSales): Promise<BookPage> {
  const { q = '', cursor } = request;
  const ofIsbn = readQuery(readIsbn(q) ?? '');
  const pageOfIsbn = ofIsbn && (await listMatches(db, request, ofIsbn, sold));
  if (pageOfIsbn && (pageOfIsbn.books.length > 0 || cursor)) return pageOfIsbn;
  const query = readQuery(q);
  return query ? await listMatches(db, request, query, sold) : { books: [], nextCursor: undefined };
}

export const readCandidates =
  (db: Db): ReadBooks =>
  async (patterns) =>
    (await listBooks(db, { sort: 'newest', limit: maxCandidates, patterns })).books;

async function listMatches(
  db: Db,
  request: BooksQuery,
  query: SearchQuery,
  sold: SoldCounts,
): Promise<BookPage> {
  const { sort = 'best', limit = maxPageSize, cursor } = request;
  if (sort !== 'best') return await listInOrder(db, { ...request, sort }, query.patterns);
  const { patterns, prices } = filterOf(request);
  const page = await listBestMatches(db, {
    query,
    patterns: [...query.patterns, ...patterns],
    prices,
    sold,
    limit,
    cursor,
  });
  if (!page) throw wrongCursor();
  return page;
}

async function listInOrder(db: Db, request: BooksQuery, words: readonly string[]): Promise<BookPage> {
  const { limit = maxPageSize } = request;
  const sort = request.sort === undefined || request.sort === 'best' ? 'newest' : request.sort;
  const { patterns, prices } = filterOf(request);
  const after = await findAfter(db, sort, request);
  return await listBooks(db, { sort, limit, patterns: [...words, ...patterns], prices, after });
}

type Filter = { patterns: string[]; prices?: PriceRange };

function filterOf({ subject, minPrice, maxPrice }: BooksQuery): Filter {
  const patterns = subject === undefined ? [] : [subjectPattern(subject)];
  if (minPrice === undefined && maxPrice === undefined) return { patterns };
  const prices: PriceRange = {
    minCents: amountToCents(minPrice ?? '0') ?? 0,
    maxCents: (maxPrice === undefined ? undefined : amountToCents(maxPrice)) ?? maxCents,
  };
  if (prices.minCents > prices.maxCents) throw fieldProblem('maxPrice', 'Must not be below minPrice.');
  return { patterns, prices };
}

async function findAfter(
  db: Db,
  sort: ListOrder,
  { cursor, from }: BooksQuery,
): Promise<BookPosition | undefined> {
  if (cursor === undefined) {
    const letters = from === undefined || (sort !== 'title' && sort !== 'author') ? '' : foldText(from);
    return letters ? { seq: 0, titleSort: letters, authorSort: letters } : undefined;
  }
  const after = await findPosition(db, cursor);
  if (!after) throw wrongCursor();
  return after;
}

export const wrongCursor = () => fieldProblem('cursor', 'Take it from the Link header of a page.');
