/** The databases of the measurements: filled, and with sessions of customers. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bookColumns } from '../../server/catalogue/book-columns.ts';
import type { ListOrder } from '../../server/catalogue/book-list.ts';
import { listBooks } from '../../server/catalogue/book-list.ts';
import type { ListedBookForSale } from '../../server/catalogue/books.ts';
import { openDatabase } from '../../server/database/open.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { Identity } from '../../server/sign-in/identity.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import {
  createPostgresDatabase,
  runStatements,
  startPostgres,
} from '../../server/testing/postgres-server.ts';
import { externalProvider } from '../../server/testing/store-process.ts';
import { fillDatabase, regular } from './fill.ts';
import { deepShare } from './hard-queries.ts';
import type { Progress } from './progress.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

export type CustomerSession = { sessionId: string; identity: Identity };

export type FilledDatabase = {
  engine: Engine;
  url: string;
  books: number;
  /** Up to a thousand, spread evenly over the catalogue: these are opened and bought. */
  chosenBooks: readonly ListedBookForSale[];
  /** The books of the first page, at most 200. */
  newestBooks: readonly ListedBookForSale[];
  /** The id of the book at the {@link deepShare} of each order. */
  deepBooks: Readonly<Record<ListOrder, string>>;
  /** As many as connections; they buy in turn. */
  buyers: readonly CustomerSession[];
  /** The customer with a thousand orders. */
  regular: CustomerSession;
};

export type Databases = {
  folder: string;
  /** Such as `ext4`, or its number. The cost of a durable write depends on it. */
  fileSystem: string;
  postgresVersion: string;
  /** Creates an empty database on PostgreSQL. @returns its URL. */
  createOnPostgres(name: string): Promise<string>;
  fill(engine: Engine, books: number, progress: Progress): Promise<FilledDatabase>;
  /** PostgreSQL and the system write to the disk what was changed until now, so that no later measurement waits for that. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

const buyersCount = 32;
const chosenCount = 1_000;

/** Starts a PostgreSQL that writes durably, and creates a folder for SQLite's files. */
export async function openDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const postgres = await startPostgres({
    fsync: true,
    locale: 'C.UTF-8',
    configuration: ['synchronous_commit=on'],
  });
  const createOnPostgres = (name: string) => createPostgresDatabase(postgres.url, name);
  return {
    folder,
    fileSystem: await fileSystemOf(folder),
    postgresVersion: postgres.version,
    createOnPostgres,
    async fill(engine, books, progress) {
      const url =
        engine === 'SQLite'
          ? `sqlite:${join(folder, `books-${books}.db`)}`
          : await createOnPostgres(`books_${books}`);
      return { engine, url, books, ...(await fillAndSignIn(url, books, progress)) };
    },
    async settle() {
      await runStatements(postgres.url, 'checkpoint');
      await promisify(execFile)('sync');
    },
    async close() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fillAndSignIn(url: string, books: number, progress: Progress) {
  const { database: settings } = readSettings({
    DATABASE_URL: url,
    DATABASE_STATEMENT_TIMEOUT_MS: '600000',
    DATABASE_READ_TIMEOUT_MS: '600000',
  });
  const filling = await openDatabase(settings);
  await fillDatabase(filling, { books, orders: books }, progress);
  await filling.close();
  // PostgreSQL would do both by itself in the next minutes, and so during the measurements.
  if (settings.engine === 'postgres') await runStatements(url, 'vacuum analyze', 'checkpoint');

  const database = await openDatabase(settings);
  try {
    const { db } = database;
    const signIn = async (identity: Identity): Promise<CustomerSession> => ({
      ...(await startSession(db, identity, { providerIssuer: externalProvider.OIDC_ISSUER })),
      identity,
    });
    const buyers: CustomerSession[] = [];
    for (let number = 0; number < buyersCount; number += 1) {
      const sub = `buyer-${number}`;
      buyers.push(
        await signIn({ ...regular, sub, email: `${sub}@readers.example`, name: `Buyer ${number}` }),
      );
    }
    const everyNth = Math.max(1, Math.floor(books / chosenCount));
    const chosenBooks = await db
      .selectFrom('books')
      .select(bookColumns)
      .where(({ eb }) => eb(eb('seq', '%', everyNth), '=', 0))
      .orderBy('seq')
      .limit(chosenCount)
      .execute();
    const deepBook = async (
      column: 'seq' | 'title_sort' | 'author_sort' | 'price_cents',
      direction: 'asc' | 'desc' = 'asc',
    ) => {
      const deep = db
        .selectFrom('books')
        .select('seq')
        .orderBy(column, direction)
        .orderBy('seq')
        .limit(1)
        .offset(Math.floor(books * deepShare));
      return (await db.selectFrom('books').select('id').where('seq', '=', deep).executeTakeFirstOrThrow()).id;
    };
    return {
      chosenBooks,
      deepBooks: {
        newest: await deepBook('seq', 'desc'),
        title: await deepBook('title_sort'),
        author: await deepBook('author_sort'),
        price: await deepBook('price_cents'),
        'price-desc': await deepBook('price_cents', 'desc'),
      },
      newestBooks: (await listBooks(db, { sort: 'newest', limit: 200, patterns: [], after: undefined }))
        .books,
      buyers,
      regular: await signIn(regular),
    };
  } finally {
    await database.close();
  }
}

/** Names by the numbers of statfs(2). */
const fileSystems: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  16914836: 'tmpfs (in memory: durable writes cost nothing here)',
  2035054128: 'overlayfs',
  801189825: 'zfs',
};

async function fileSystemOf(folder: string): Promise<string> {
  const { type } = await statfs(folder);
  return fileSystems[type] ?? `number ${type.toString(16)}`;
}
