/** The searches that are compared: the store's own, and those of MiniSearch and FlexSearch. */

import { Charset, Encoder, Index } from 'flexsearch';
import MiniSearch, { type SearchOptions } from 'minisearch';
import { addBook } from '../../../server/catalogue/books.ts';
import { type Database, openDatabase } from '../../../server/database/open.ts';
import { findBooks } from '../../../server/search/search.ts';
import { readDatabaseSettings } from '../../../server/settings/settings.ts';
import { plainWords } from './known-items.ts';
import type { RealBook } from './real-books.ts';

/** How many books a list has at most. */
export const listLength = 10;

/** A search in one configuration. */
export type Search = {
  configuration: string;
  /** @returns the numbers of the books, the best match first. */
  list(q: string): readonly number[] | Promise<readonly number[]>;
};

/** An engine in several configurations. */
export type SearchEngine = { name: string; searches: readonly Search[] };

/**
 * Both libraries get the words as the protocol compares them. They have the whole catalogue in memory, and find parts of words
 * and misspelt words by themselves.
 */
export function openOthers(books: readonly RealBook[]): SearchEngine[] {
  return [openMiniSearch(books), openFlexSearch(books)];
}

function openMiniSearch(books: readonly RealBook[]): SearchEngine {
  const index = new MiniSearch<RealBook & { id: number }>({
    fields: ['title', 'author'],
    tokenize: plainWords,
    processTerm: (term) => term,
  });
  index.addAll(books.map((book, id) => ({ id, ...book })));
  const search = (configuration: string, options: SearchOptions): Search => ({
    configuration,
    list: (q) =>
      index
        .search(q, { prefix: true, fuzzy: 0.2, ...options })
        .slice(0, listLength)
        .map(({ id }): number => id),
  });
  return {
    name: 'MiniSearch',
    searches: [
      search('all words', { combineWith: 'AND' }),
      search('any word, title twice', { combineWith: 'OR', boost: { title: 2 } }),
    ],
  };
}

function openFlexSearch(books: readonly RealBook[]): SearchEngine {
  const search = (configuration: string, encoder: Encoder): Search => {
    const index = new Index({ tokenize: 'forward', encoder });
    books.forEach(({ title, author }, id) => {
      index.add(id, `${title} ${author}`);
    });
    return {
      configuration,
      list: (q) => index.search(q, { limit: listLength, suggest: true }).map(Number),
    };
  };
  return {
    name: 'FlexSearch',
    searches: [
      search('as spelt', new Encoder(Charset.Normalize)),
      search('by sound', new Encoder(Charset.LatinBalance)),
    ],
  };
}

export type StoreSearch = Search & { close(): Promise<void> };

/**
 * Adds the books to an empty database.
 * @param url of the database. The caller removes it.
 */
export async function openStore(url: string, books: readonly RealBook[]): Promise<StoreSearch> {
  const database = await openDatabase(readDatabaseSettings({ DATABASE_URL: url }));
  const numbers = new Map<string, number>();
  await database.db.transaction().execute(async (db) => {
    for (const [number, { title, author }] of books.entries()) {
      const details = { title, author, image: 'https://covers.example/1.jpg', priceCents: 1000 };
      numbers.set((await addBook(db, details, null)).id, number);
    }
  });
  return {
    configuration: 'as it is',
    list: async (q) => (await listIds(database, q)).flatMap((id) => numbers.get(id) ?? []),
    close: () => database.close(),
  };
}

/** @returns the ids of the first page that has books. */
async function listIds({ db }: Database, q: string): Promise<string[]> {
  let cursor: string | undefined;
  do {
    const page = await findBooks(db, { q, limit: listLength, ...(cursor === undefined ? {} : { cursor }) });
    if (page.books.length > 0) return page.books.map(({ id }) => id);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return [];
}
