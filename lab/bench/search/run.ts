/** `npm run bench:search`: compares the relevance of the store's search with that of two search libraries. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
} from '../../../server/testing/postgres-server.ts';
import { oneOf, readOptions, text, wholeNumber } from '../../../tools/options.ts';
import { engines as databaseEngines } from '../databases.ts';
import { versionOf } from '../machine.ts';
import { openOthers, openStore, type Search, type StoreSearch } from './engines.ts';
import { figuresOf } from './figures.ts';
import {
  itemsOf,
  type KnownItem,
  kinds,
  type Language,
  languageKinds,
  makeKnownItems,
} from './known-items.ts';
import { type BookSet, readBookSet, readLanguage } from './real-books.ts';
import { type Comparison, listMisses, type Row, writeReport } from './report.ts';

const options = readOptions(
  'npm run bench:search',
  'Compares the relevance of the search with that of MiniSearch and FlexSearch, and writes a report.',
  {
    seed: wholeNumber('of the queries', 1),
    items: wholeNumber('how many queries of each kind', 1_000, 1),
    engine: oneOf('the database of the store', ['SQLite', 'PostgreSQL', 'both']),
    books: text(
      'a CSV file with title and author, or a .tsv file; without it ../shared/data/goodbooks.csv, or else books.tsv',
      'file',
    ),
    misses: wholeNumber('how many queries of each kind to print whose first book is wrong', 0),
    out: text('a file for the report; without it search-results.md', 'file'),
  },
);

const print = (line: string) => process.stdout.write(`${line}\n`);

function readBooks(): BookSet {
  try {
    return readBookSet(options.books);
  } catch (error) {
    process.stderr.write(
      `--books: ${error instanceof Error ? error.message : error}; --help lists the options.\n`,
    );
    process.exit(2);
  }
}

type List = readonly number[];

async function listAll({ list }: Search, items: readonly KnownItem[]): Promise<List[]> {
  const lists: List[] = [];
  for (const { q } of items) lists.push(await list(q));
  return lists;
}

const languages = (Object.keys(languageKinds) as Language[]).map((language) => ({
  kind: languageKinds[language],
  listed: readLanguage(language),
}));

async function compare({ name: bookSet, books: ofSet }: BookSet, stores: readonly StoreSearch[]) {
  const books = withLanguages(ofSet);
  const others = openOthers(books);
  const rows: Row[] = [];
  let differences = 0;
  const { seed, items: count } = options;
  const queries = [
    ...kinds.map((kind) => ({ kind, items: makeKnownItems(ofSet, kind, { seed, count }) })),
    ...languages.map(({ kind, listed }) => ({ kind, items: itemsOf(books, listed) })),
  ];
  for (const { kind, items } of queries) {
    print(kind);
    const lists = await Promise.all(stores.map((store) => listAll(store, items)));
    const [first = [], ...further] = lists;
    differences += items.filter((_, index) =>
      further.some((other) => !isSame(first[index], other[index])),
    ).length;
    const measured = [];
    for (const { name: engine, searches } of others) {
      for (const search of searches) {
        const figures = figuresOf(items, await listAll(search, items));
        measured.push({ engine, configuration: search.configuration, figures });
      }
    }
    rows.push({ kind, queries: items.length, store: figuresOf(items, first), others: measured });
    printMisses(books, items, first);
  }
  return { bookSet, books: ofSet.length, rows, differences: stores.length > 1 ? differences : undefined };
}

const withLanguages = (books: BookSet['books']) => [...books, ...languages.flatMap(({ listed }) => listed)];

const isSame = (one: List = [], other: List = []): boolean => one.join() === other.join();

function printMisses(books: BookSet['books'], items: readonly KnownItem[], lists: readonly List[]): void {
  const describe = (number: number | undefined) =>
    number === undefined ? 'nothing' : `${books[number]?.title}, ${books[number]?.author}`;
  const missed = items
    .map(({ q, wanted }, index) => ({ q, wanted, list: lists[index] ?? [] }))
    .filter(({ wanted, list: [first] }) => first === undefined || !wanted.has(first));
  for (const { q, wanted, list } of missed.slice(0, options.misses)) {
    const place = list.findIndex((number) => wanted.has(number)) + 1;
    print(
      `  “${q}”: ${place ? `at ${place}` : 'not listed'}; wanted ${describe([...wanted][0])}; first ${describe(list[0])}`,
    );
  }
}

const set = readBooks();
const folder = await mkdtemp(join(tmpdir(), 'colophon-search-'));
const stores: StoreSearch[] = [];
let postgres: PostgresServer | undefined;
try {
  const engines = databaseEngines.filter((engine) => options.engine === engine || options.engine === 'both');
  for (const engine of engines) {
    print(`adding ${set.books.length} books of ${set.name} to ${engine}`);
    postgres ??= engine === 'PostgreSQL' ? await startPostgres() : undefined;
    const url = postgres
      ? await createPostgresDatabase(postgres.url, 'relevance')
      : `sqlite:${join(folder, 'relevance.db')}`;
    stores.push(await openStore(url, withLanguages(set.books)));
  }
  const comparison: Comparison = {
    ...(await compare(set, stores)),
    seed: options.seed,
    items: options.items,
    engines,
    versions: {
      'Node.js': process.versions.node,
      ...(engines.includes('SQLite') ? { SQLite: process.versions['sqlite'] ?? 'unknown' } : {}),
      ...(postgres ? { PostgreSQL: postgres.version.replace('PostgreSQL ', '') } : {}),
      MiniSearch: versionOf('minisearch'),
      FlexSearch: versionOf('flexsearch'),
    },
    date: new Date().toISOString().slice(0, 10),
  };
  const report = writeReport(comparison);
  const file = options.out ?? join(import.meta.dirname, '..', 'search-results.md');
  await writeFile(file, report);
  print(`\n${report}\nWritten to ${file}`);
  if (listMisses(comparison).length > 0) process.exitCode = 1;
} finally {
  await Promise.all(stores.map((store) => store.close()));
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
