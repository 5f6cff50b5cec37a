/** The databases that are measured: filled, with customers who are signed in. */

import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type BookForSale, listBooks } from '../../server/catalogue/books.ts';
import { openDatabase } from '../../server/database/open.ts';
import { readSettings } from '../../server/settings.ts';
import { type Identity, startSession } from '../../server/sign-in/sessions.ts';
import { startPostgres } from '../../server/testing/postgres-server.ts';
import { fillDatabase, regular } from './fill.ts';
import type { Progress } from './progress.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

export type SignedIn = { sessionId: string; identity: Identity };

export type FilledDatabase = {
  engine: Engine;
  url: string;
  books: number;
  /** Spread over the whole catalogue: what is opened and bought. */
  chosenBooks: readonly BookForSale[];
  /** The newest, at most 200: what the first page shows. */
  newestBooks: readonly BookForSale[];
  /** As many as there are connections: each buys in turn. */
  buyers: readonly SignedIn[];
  /** With a thousand orders. */
  regular: SignedIn;
};

export type Databases = {
  folder: string;
  /** Such as `ext4`, or its number: what a durable write costs depends on it. */
  fileSystem: string;
  postgresVersion: string;
  /** An empty database of the server. */
  createOnPostgres(name: string): Promise<string>;
  fill(engine: Engine, books: number, progress: Progress): Promise<FilledDatabase>;
  close(): Promise<void>;
};

const buyersCount = 32;
const chosenCount = 1_000;

export async function openDatabases(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const postgres = await startPostgres({
    fsync: true,
    locale: 'C.UTF-8',
    configuration: ['synchronous_commit=on'],
  });
  const createOnPostgres = async (name: string) => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  };
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
  });
  const filling = await openDatabase(settings);
  await fillDatabase(filling, { books, orders: books }, progress);
  await filling.close();
  if (settings.engine === 'postgres') await settle(url);

  const database = await openDatabase(settings);
  try {
    const { db } = database;
    const signIn = async (identity: Identity): Promise<SignedIn> => ({
      sessionId: await startSession(db, identity),
      identity,
    });
    const buyers: SignedIn[] = [];
    for (let number = 0; number < buyersCount; number += 1) {
      const sub = `buyer-${number}`;
      buyers.push(
        await signIn({ ...regular, sub, email: `${sub}@readers.example`, name: `Buyer ${number}` }),
      );
    }
    const everyNth = Math.max(1, Math.floor(books / chosenCount));
    const chosenBooks = await db
      .selectFrom('books')
      .select(['id', 'title', 'author', 'image', 'price_cents as priceCents'])
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

/** What PostgreSQL would do by itself in the minutes after a fill, and so during the measurements. */
async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

/** By the numbers of statfs(2). */
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
