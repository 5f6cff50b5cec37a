import type { Db } from '../database/tables.ts';
import { compareMatches, type Match, rankOf, type SoldCounts } from '../search/ranks.ts';
import type { SearchQuery } from '../search/search-text.ts';
import {
  type BookListQuery,
  type BookPage,
  listBooks,
  matchingBooks,
  type RankedBookForSale,
  rankedColumns,
} from './book-list.ts';
import { findPosition, wrongCursor } from './books.ts';

/** Limits: how many of the newest matches are ranked, and how many more by their title and by their author. */
const maxRanked = { newest: 1_000, byKey: 200 };

type BestQuery = Pick<BookListQuery, 'limit' | 'patterns' | 'prices'> & {
  query: SearchQuery;
  /** The sales, which decide between equal ranks. */
  sold: SoldCounts;
  cursor: string | undefined;
};

/** A prefix of a cursor: the page lists unranked books, newest first, after the book whose id follows. */
const beyondRanked = 'newest.';

/** Lists ranked matches first, and then all others, newest first. If books are added between two pages, a book may come twice. */
export async function listBestMatches(
  db: Db,
  { query, sold, cursor, ...filter }: BestQuery,
  max = maxRanked,
): Promise<BookPage> {
  const { limit } = filter;
  if (cursor?.startsWith(beyondRanked)) {
    const after = await findPosition(db, cursor.slice(beyondRanked.length));
    const page = await listBooks(db, { ...filter, sort: 'newest', after });
    const ranked = new Set((await listByKey(db, query, filter, max.byKey)).map(({ id }) => id));
    return withCursor(
      page.books.filter(({ id }) => !ranked.has(id)),
      page.nextCursor,
    );
  }
  const { books, nextCursor } = await listBooks(db, { ...filter, sort: 'newest', limit: max.newest });
  const more = nextCursor === undefined ? [] : await listByKey(db, query, filter, max.byKey);
  const toMatch = (book: RankedBookForSale) => ({ rank: rankOf(query, book), book });
  const compare = (one: Match, other: Match) => compareMatches(one, other, sold);
  const ranked = [...new Map([...books, ...more].map((book) => [book.id, book])).values()].map(toMatch);
  const last = cursor === undefined ? undefined : await findRanked(db, cursor);
  const left = last ? ranked.filter((match) => compare(match, toMatch(last)) > 0) : ranked;
  const listed = left.sort(compare).map(({ book }) => book);
  const page = listed.slice(0, limit);
  return listed.length > limit ? { books: page, nextCursor: page.at(-1)?.id } : withCursor(page, nextCursor);
}

const withCursor = (books: RankedBookForSale[], id: string | undefined): BookPage => ({
  books,
  nextCursor: id && `${beyondRanked}${id}`,
});

const findRanked = (db: Db, id: string): Promise<RankedBookForSale> =>
  db
    .selectFrom('books')
    .select(rankedColumns)
    .where('books.id', '=', id)
    .executeTakeFirstOrThrow(wrongCursor);

/** The greatest character: a text that ends in it sorts after every text with the same beginning. */
const greatest = '\u{10ffff}';

async function listByKey(
  db: Db,
  { key, keyWithoutSeries = key }: SearchQuery,
  filter: Pick<BookListQuery, 'patterns' | 'prices'>,
  max: number,
): Promise<RankedBookForSale[]> {
  const matches = matchingBooks(db, filter).select(rankedColumns).limit(max);
  const found = await Promise.all([
    matches.where('title_key', 'in', [key, keyWithoutSeries]).execute(),
    matches.where('author_key', '=', key).execute(),
    matches
      .where('title_key', '>', key)
      .where('title_key', '<', key + greatest)
      .orderBy('title_key')
      .execute(),
  ]);
  return found.flat();
}
