/** Suggestions while a visitor types: authors with the number of their books, and the first books that are found. */

import type { Suggestions } from '../../contract/suggestions.ts';
import { countRows } from '../database/row-pages.ts';
import type { Db } from '../database/tables.ts';
import type { SoldCounts } from '../search/ranks.ts';
import { firstAuthorOf, readQuery, type SearchQuery } from '../search/search-text.ts';
import { listBooks } from './book-list.ts';
import { booksForSale, presentBook } from './books.ts';
import { findBooks } from './find-books.ts';

const maxSuggested = { authors: 3, books: 5 };
const maxMatches = 200;
const maxCounted = 1_000;

export async function suggest(db: Db, q: string, sold: SoldCounts): Promise<Suggestions> {
  const query = readQuery(q);
  if (!query) return { authors: [], books: [] };
  const { books, correctedTo } = await findBooks(db, { q, limit: maxSuggested.books }, sold);
  const meant = correctedTo === undefined ? query : readQuery(correctedTo);
  const authors = meant ? await listAuthors(db, meant) : [];
  return { authors, books: books.slice(0, maxSuggested.books).map(presentBook) };
}

/** Finds authors by the beginnings of the words of their names. Only authors of the newest matches are counted. */
async function listAuthors(db: Db, { words }: SearchQuery): Promise<Suggestions['authors']> {
  const patterns = words.map((word) => ` ${word}`);
  const { books } = await listBooks(db, { sort: 'newest', limit: maxMatches, patterns });
  const authors = new Map<string, { author: string; count: number }>();
  for (const { author, authorKey } of books) {
    if (!authorKey || !patterns.every((pattern) => ` ${authorKey}`.includes(pattern))) continue;
    const { count = 0 } = authors.get(authorKey) ?? {};
    authors.set(authorKey, { author: firstAuthorOf(author).trim(), count: count + 1 });
  }
  const first = [...authors]
    .sort(([, one], [, other]) => other.count - one.count)
    .slice(0, maxSuggested.authors);
  return await Promise.all(
    first.map(async ([key, { author }]) => {
      const books = booksForSale(db).select('seq').where('author_key', '=', key).limit(maxCounted);
      return { author, count: await countRows(db, books) };
    }),
  );
}
