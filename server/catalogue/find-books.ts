/** The list of `GET /books`: all books or a search, in an order, from a cursor on, with forgiveness for misspelt words. */

import type { BooksQuery } from '../../contract/book.ts';
import { listNameHeader } from '../../contract/book-search.ts';
import { readIsbn } from '../../contract/isbn.ts';
import { amountToCents, maxCents } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { compareVolumes } from '../../contract/series.ts';
import type { Db } from '../database/tables.ts';
import { fieldProblem } from '../http/problems.ts';
import { type Forgiven, forgive, forgivenHeaders } from '../search/forgive.ts';
import { maxCandidates } from '../search/missing-words.ts';
import { noSales, type RankedBook, type SoldCounts } from '../search/ranks.ts';
import { listPatterns, readQuery, type SearchQuery } from '../search/search-text.ts';
import { vocabularyOf } from '../search/words.ts';
import { listName } from './authors.ts';
import { listBestMatches } from './best-matches.ts';
import { type BookListQuery, type BookPage, listBooks } from './book-list.ts';
import { findPosition, presentBook } from './books.ts';

/**
 * Finds books. An ISBN, in any spelling, finds its books; if there are none, its text is searched like words. @throws {Problem}
 * VALIDATION_FAILED for a cursor that no page has given out, and for prices in the wrong order.
 */
export async function findBooks(db: Db, request: BooksQuery, sold = noSales): Promise<Forgiven<BookPage>> {
  const { q = '', cursor, spelling } = request;
  const query = readQuery(q);
  const page = await findAsTyped(db, request, sold);
  if (!query || cursor || (page.books.length > 0 && readIsbn(q))) return page;
  return await forgive(page, {
    query,
    spelling,
    vocabulary: vocabularyOf(db),
    list: (other, isWhole) =>
      findAsTyped(db, { ...request, q: other, ...(isWhole && { limit: maxPageSize }) }, sold),
    read: (patterns) => readCandidates(db, patterns),
  });
}

/** @returns a page of the list as clients get it: its headers, and the parameters of the next page. */
export function presentPage<Query extends BooksQuery>(
  query: Query,
  { books, nextCursor, ...forgiven }: Forgiven<BookPage>,
) {
  const { correctedTo: q = query.q } = forgiven;
  const name = listName(query, books[0]);
  return {
    name,
    body: books.map(presentBook),
    headers: {
      ...forgivenHeaders(forgiven),
      ...(name !== undefined && { [listNameHeader]: encodeURIComponent(name) }),
    },
    next:
      nextCursor === undefined ? undefined : { ...query, ...(q !== undefined && { q }), cursor: nextCursor },
  };
}

export async function findAsTyped(db: Db, request: BooksQuery, sold = noSales): Promise<BookPage> {
  const { q = '', cursor } = request;
  const ofIsbn = readQuery(readIsbn(q) ?? '');
  const pageOfIsbn = ofIsbn && (await listMatches(db, request, ofIsbn, sold));
  if (pageOfIsbn && (pageOfIsbn.books.length > 0 || cursor)) return pageOfIsbn;
  const query = readQuery(q);
  return await (query ? listMatches(db, request, query, sold) : listInOrder(db, request, []));
}

export async function readCandidates(db: Db, patterns: readonly string[]): Promise<RankedBook[]> {
  const { books } = await listBooks(db, { sort: 'newest', limit: maxCandidates, patterns });
  return books;
}

async function listMatches(
  db: Db,
  request: BooksQuery,
  query: SearchQuery,
  sold: SoldCounts,
): Promise<BookPage> {
  if (request.sort !== undefined && request.sort !== 'best')
    return await listInOrder(db, request, query.patterns);
  const filter = filterOf(request, query.patterns);
  return await listBestMatches(db, { ...filter, query, sold, cursor: request.cursor });
}

async function listInOrder(db: Db, request: BooksQuery, words: readonly string[]): Promise<BookPage> {
  const sort = request.sort === undefined || request.sort === 'best' ? 'newest' : request.sort;
  const after = request.cursor === undefined ? undefined : await findPosition(db, request.cursor);
  const page = await listBooks(db, { ...filterOf(request, words), sort, after });
  const isWholeSeries = request.series !== undefined && !after && page.nextCursor === undefined;
  return isWholeSeries && request.sort === undefined
    ? { ...page, books: page.books.toSorted(compareVolumes) }
    : page;
}

function filterOf(
  { minPrice, maxPrice, limit = maxPageSize, ...list }: BooksQuery,
  words: readonly string[],
): Pick<BookListQuery, 'limit' | 'patterns' | 'prices'> {
  const patterns = [...words, ...listPatterns(list)];
  if (minPrice === undefined && maxPrice === undefined) return { limit, patterns };
  const minCents = amountToCents(minPrice ?? '0') ?? 0;
  const dearest = (maxPrice === undefined ? undefined : amountToCents(maxPrice)) ?? maxCents;
  if (minCents > dearest) throw fieldProblem('maxPrice', 'Must not be below minPrice.');
  return { limit, patterns, prices: { minCents, maxCents: dearest } };
}
