/** `npm run bench -- search`: how often a search finds the book that a visitor wants, beside the library MiniSearch. */

import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch, { type SearchOptions } from 'minisearch';
import { addBook } from '../../../server/catalogue/books.ts';
import { findBooks } from '../../../server/catalogue/find-books.ts';
import { openDatabase } from '../../../server/database/open.ts';
import { demoBooks } from '../../../server/demo/books.ts';
import { readCsv, UnreadableCsv } from '../../../server/import/read-csv.ts';
import { readDatabaseSettings } from '../../../server/settings/settings.ts';
import { createPostgresDatabase, startPostgres } from '../../../server/testing/postgres-server.ts';
import { oneOf, readCommandLine, wholeNumber } from '../../../tools/options.ts';
import { table } from '../tables.ts';
import {
  itemsOf,
  type KnownBook,
  type KnownItem,
  kinds,
  languageKinds,
  makeKnownItems,
  plainWords,
} from './known-items.ts';

/** How many books a list has at most. */
const listLength = 10;

/** @returns the numbers of the books, the best match first. */
type Search = (q: string) => readonly number[] | Promise<readonly number[]>;

export async function measureSearch(args: readonly string[]): Promise<void> {
  const { values: options, operands } = readCommandLine(
    'npm run bench -- search',
    {
      purpose:
        'Measures how often a search finds the wanted book, beside MiniSearch. FILE: books as CSV, as the desk imports them; without it the books of the demo.',
      operands: ['[FILE]'],
      options: {
        seed: wholeNumber('of the queries', 1),
        items: wholeNumber('how many queries of each kind', 1_000, 1),
        engine: oneOf('the database of the store', ['SQLite', 'PostgreSQL']),
        misses: wholeNumber('how many queries of each kind to print whose first book is wrong', 0),
      },
    },
    args,
  );
  const books = await readBooks(operands[0]);
  const languages = Object.entries(languageKinds).map(([language, kind]) => {
    return { kind, books: readLanguage(language) };
  });
  const isKnown = ({ title }: KnownBook) => books.some((book) => book.title === title);
  const all = [...books, ...languages.flatMap(({ books }) => books.filter((book) => !isKnown(book)))];
  const queries = [
    ...kinds.map((kind) => ({
      kind,
      items: makeKnownItems(books, kind, { ...options, count: options.items }),
    })),
    ...languages.map(({ kind, books }) => ({ kind, items: itemsOf(all, books) })),
  ];
  const { search, close } = await openStore(options.engine, all);
  try {
    const searches = { [`Colophon on ${options.engine}`]: search, ...openMiniSearch(all) };
    const rows: string[][] = [];
    for (const { kind, items } of queries) {
      const cells: string[] = [];
      for (const one of Object.values(searches)) cells.push(figuresOf(items, await listAll(one, items)));
      rows.push([kind, String(items.length), ...cells]);
      for (const line of missesIn(all, items, await listAll(search, items)).slice(0, options.misses)) {
        process.stdout.write(`${kind}: ${line}\n`);
      }
    }
    process.stdout.write(
      `Shares of the queries whose first book is a wanted one, of those with one among the first five, and the mean reciprocal rank.\n\n${table(['query', 'number', ...Object.keys(searches)], rows)}\n`,
    );
  } finally {
    await close();
  }
}

/** Ends the process where the file cannot be read. */
async function readBooks(file: string | undefined): Promise<readonly KnownBook[]> {
  if (file === undefined) return demoBooks;
  try {
    const rows = await Array.fromAsync(readCsv(createReadStream(file)));
    const cells = rows.flatMap((row) => ('cells' in row ? row.cells : []));
    return cells.flatMap(({ title, author }) => (title && author ? { title, author } : []));
  } catch (error) {
    const isOfFile = error instanceof UnreadableCsv || (error instanceof Error && 'code' in error);
    if (!isOfFile) throw error;
    process.stderr.write(`${file}: ${error.message}\n`);
    process.exit(2);
  }
}

/** Well-known books of a language, and their titles as visitors type them on another keyboard. */
const readLanguage = (language: string): (KnownBook & { q: string })[] =>
  readFileSync(join(import.meta.dirname, `${language}.tsv`), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([title = '', author = '', q = '']) => (q ? [{ title, author, q }] : []));

/** Adds the books to an empty database of a store. */
async function openStore(engine: 'SQLite' | 'PostgreSQL', books: readonly KnownBook[]) {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-search-'));
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  const url = postgres
    ? await createPostgresDatabase(postgres.url, 'relevance')
    : `sqlite:${join(folder, 'relevance.db')}`;
  const { db, close } = await openDatabase(readDatabaseSettings({ DATABASE_URL: url }));
  const numbers = new Map<string, number>();
  await db.transaction().execute(async (db) => {
    for (const [number, { title, author }] of books.entries()) {
      const details = { title, author, image: 'https://covers.example/1.jpg', priceCents: 1000 };
      numbers.set((await addBook(db, details, null)).id, number);
    }
  });
  const search: Search = async (q) => {
    // Reads the first page that has books.
    for (let cursor: string | undefined; ; ) {
      const page = await findBooks(db, { q, limit: listLength, ...(cursor !== undefined && { cursor }) });
      cursor = page.nextCursor;
      if (page.books.length > 0 || cursor === undefined)
        return page.books.flatMap(({ id }) => numbers.get(id) ?? []);
    }
  };
  return {
    search,
    async close() {
      await close();
      await postgres?.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** MiniSearch: it has the whole catalogue in memory, and gets the same words. */
function openMiniSearch(books: readonly KnownBook[]): Record<string, Search> {
  const index = new MiniSearch<KnownBook & { id: number }>({
    fields: ['title', 'author'],
    tokenize: plainWords,
    processTerm: (term) => term,
  });
  index.addAll(books.map((book, id) => ({ ...book, id })));
  const search =
    (options: SearchOptions): Search =>
    (q) =>
      index
        .search(q, { prefix: true, fuzzy: 0.2, ...options })
        .slice(0, listLength)
        .map(({ id }): number => id);
  return {
    'MiniSearch, all words': search({ combineWith: 'AND' }),
    'MiniSearch, any word': search({ combineWith: 'OR', boost: { title: 2 } }),
  };
}

async function listAll(search: Search, items: readonly KnownItem[]): Promise<(readonly number[])[]> {
  const lists: (readonly number[])[] = [];
  for (const { q } of items) lists.push(await search(q));
  return lists;
}

function figuresOf(items: readonly KnownItem[], lists: readonly (readonly number[])[]): string {
  // The rank, from 1; infinite when no wanted book is listed.
  const places = items.map(({ wanted }, index) => {
    const place = (lists[index] ?? []).findIndex((number) => wanted.has(number));
    return place === -1 ? Number.POSITIVE_INFINITY : place + 1;
  });
  const shares = [
    places.filter((place) => place === 1).length,
    places.filter((place) => place <= 5).length,
    places.reduce((sum, place) => sum + 1 / place, 0),
  ];
  return shares.map((sum) => (sum / Math.max(1, items.length)).toFixed(3)).join(' / ');
}

/** @returns a line for each query whose first book is not wanted. */
function missesIn(
  books: readonly KnownBook[],
  items: readonly KnownItem[],
  lists: readonly (readonly number[])[],
): string[] {
  const describe = (number = -1) => books[number]?.title ?? 'nothing';
  return items.flatMap(({ q, wanted }, index) => {
    const [first = -1] = lists[index] ?? [];
    return wanted.has(first)
      ? []
      : `“${q}” finds ${describe(first)} first, wanted is ${describe([...wanted][0])}`;
  });
}
