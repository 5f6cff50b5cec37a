/** The databases of the measurements: filled, and with sessions of customers. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bookColumns } from '../../server/catalogue/book-columns.ts';
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
import { externalProvider } from '../../server/testing/server-process.ts';
import { fillDatabase, regular } from './fill.ts';
import type { Progress } from './progress.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

export type CustomerSession = { sessionId: string; identity: Identity };

export type FilledDatabase = {
  url: string;
  /** Up to a thousand books, spread evenly over the catalogue, which the load opens and buys. */
  chosenBooks: readonly ListedBookForSale[];
  /** The books of the first page, at most 200. */
  newestBooks: readonly ListedBookForSale[];
  /** The buyers, one for each connection; they buy in turn. */
  buyers: readonly CustomerSession[];
  /** The customer with a thousand orders. */
  regular: CustomerSession;
};

export type Databases = {
  folder: string;
  postgresVersion: string;
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
  return {
    folder,
    postgresVersion: postgres.version,
    async fill(engine, books, progress) {
      const url =
        engine === 'SQLite'
          ? `sqlite:${join(folder, `books-${books}.db`)}`
          : await createPostgresDatabase(postgres.url, `books_${books}`);
      return { url, ...(await fillAndSignIn(url, books, progress)) };
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
  // PostgreSQL would do both tasks by itself some minutes later, during the measurements.
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
    return {
      chosenBooks,
      newestBooks: (await listBooks(db, { sort: 'newest', limit: 200, patterns: [], after: undefined }))
        .books,
      buyers,
      regular: await signIn(regular),
    };
  } finally {
    await database.close();
  }
}
