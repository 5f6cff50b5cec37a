/** `GET /books` with a query: the order of the matches, the place of a page, and misspelt words. */

import type { BooksQuery } from '../../contract/book.ts';
import { readIsbn } from '../../contract/isbn.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { type BookPage, listBooks } from '../catalogue/book-list.ts';
import { findPosition } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { fieldProblem } from '../http/problems.ts';
import { isPlace, listBestMatches, readPlace, writePlace } from './best-matches.ts';
import { readQuery, type SearchQuery } from './search-text.ts';
import { findCorrections } from './spelling.ts';

/** A page of books. */
type FoundPage = BookPage & {
  /** When the words as typed find nothing: similar ones that find something. They were searched for instead, unless `spelling` is `as-typed`. */
  correctedTo?: string;
  /** When those find nothing either: words of the catalogue, of which each finds something. */
  similarWords?: readonly string[];
};

type PageRequest = Omit<BooksQuery, 'q'> & { query: SearchQuery };

/**
 * Lists a page of books: all of them, or those that match. An ISBN finds its books however it is written, and otherwise what its
 * words find, such as keywords. When the first page of a search finds nothing, it lists what similar
 * words of the catalogue find.
 * @throws {Problem} VALIDATION_FAILED for a cursor that no page has given out.
 */
export async function findBooks(db: Db, { q = '', ...request }: BooksQuery): Promise<FoundPage> {
  const ofIsbn = readQuery(readIsbn(q) ?? '');
  const pageOfIsbn = ofIsbn && (await listMatches(db, { ...request, query: ofIsbn }));
  if (pageOfIsbn && (pageOfIsbn.books.length > 0 || request.cursor)) return pageOfIsbn;
  const query = readQuery(q);
  if (!query) return await listAll(db, request);
  const page = await listMatches(db, { ...request, query });
  if (page.books.length > 0 || page.nextCursor || request.cursor) return page;
  const { queries, words } = await findCorrections(db, query);
  for (const correctedTo of queries) {
    const corrected = readQuery(correctedTo);
    const found = corrected && (await listMatches(db, { ...request, query: corrected }));
    if (found && found.books.length > 0)
      return { ...(request.spelling === 'as-typed' ? page : found), correctedTo };
  }
  return { ...page, similarWords: words };
}

async function listAll(db: Db, { sort, limit = maxPageSize, cursor }: BooksQuery): Promise<BookPage> {
  const after = await findAfter(db, cursor);
  return await listBooks(db, {
    sort: sort === 'best' ? 'newest' : (sort ?? 'newest'),
    limit,
    patterns: [],
    after,
  });
}

async function listMatches(
  db: Db,
  { query, sort: requestedSort, limit = maxPageSize, cursor }: PageRequest,
): Promise<BookPage> {
  // A version without the order `best` listed matches newest first, with the id of a book as the cursor.
  const isOldCursor = requestedSort === undefined && cursor !== undefined && !isPlace(cursor);
  const sort = requestedSort ?? (isOldCursor ? 'newest' : 'best');
  if (sort !== 'best') {
    const after = await findAfter(db, cursor);
    return await listBooks(db, { sort, limit, patterns: query.patterns, after });
  }
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) throw wrongCursor();
  const page = await listBestMatches(db, { query, limit, place });
  if (!page) throw wrongCursor();
  return { books: page.books, nextCursor: page.next && writePlace(page.next) };
}

async function findAfter(db: Db, cursor: string | undefined) {
  const after = cursor === undefined ? undefined : await findPosition(db, cursor);
  if (cursor !== undefined && !after) throw wrongCursor();
  return after;
}

const wrongCursor = () => fieldProblem('cursor', 'Take it from the Link header of a page.');
