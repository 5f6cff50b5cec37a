/** The real store as a process, in demo mode, with its own ports and its own database. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookDetails } from '../contract/book-fields.ts';
import { screens } from '../contract/paths.ts';
import { addBook, type BookForSale } from '../server/catalogue/books.ts';
import { type Database, openDatabase } from '../server/database/open.ts';
import { readDatabaseSettings } from '../server/settings/settings.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { startStore } from '../server/testing/server-process.ts';
import { addTestBooks, testImage } from './test-books.ts';

const pages = join(import.meta.dirname, '..', 'dist', 'index.html');

/** The words of the tests' shop on delivery and payment, and the address to write to. */
export const shop = {
  note: 'Sent from Lisbon within two working days & signed.',
  email: 'service@shop.example',
};

export type Store = {
  origin: string;
  /** The demo provider's origin. */
  identityOrigin: string;
  /** The store's database, for changes that no visitor can make. */
  db: Database['db'];
  addBook(book: Partial<BookDetails> & { title: string }): Promise<BookForSale>;
  /** @returns the path of the checkout of the book that has this title. */
  checkoutOf(title: string): Promise<string>;
  /** The books that have this title, the deleted ones too. */
  booksNamed(title: string): Promise<{ id: string; image: string }[]>;
  /** The orders of all customers, oldest first. */
  orders(): Promise<{ title: string; priceCents: number; email: string }[]>;
  /** Changes the price in the database, unseen by open pages. */
  reprice(title: string, priceCents: number): Promise<void>;
  /** Removes the book in the database, unseen by open pages. */
  remove(title: string): Promise<void>;
  /** @returns the lines of the store's log since the last call that report an error. */
  takeErrors(): string[];
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Settings of the store, besides those that every test needs. */
  env?: Record<string, string>;
  /** Adds books before the store starts: the demo would fill an empty catalogue. */
  stock?: (db: Database['db']) => Promise<unknown>;
};

/** @throws when the pages are not built, or the store does not start. */
export async function openStore({ env = {}, stock = addTestBooks }: StoreOptions = {}): Promise<Store> {
  if (!existsSync(pages)) {
    throw new Error('The pages are not built: `npm run build` builds them.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'colophon-e2e-'));
  const file = join(folder, 'store.db');
  const database = await openDatabase(readDatabaseSettings({ DATABASE_URL: `sqlite:${file}` }));
  await stock(database.db);

  const identityPort = await findFreePort();
  const server = await startStore({
    DEMO_IDENTITY_PORT: String(identityPort),
    DATABASE_URL: `sqlite:${file}`,
    LOG_LEVEL: 'warn',
    SHOP_NOTE: shop.note,
    SHOP_EMAIL: shop.email,
    ...env,
  });
  const read = { stdout: 0, stderr: 0 };
  const newLines = (name: keyof typeof read) => {
    const text = server[name]().slice(read[name]);
    const end = text.lastIndexOf('\n') + 1;
    read[name] += end;
    return text.slice(0, end).split('\n');
  };

  const { db } = database;
  const booksNamed: Store['booksNamed'] = (title) =>
    db.selectFrom('books').select(['id', 'image']).where('title', '=', title).execute();
  return {
    // Sign-ins return to PUBLIC_URL, whose default has this host name.
    origin: `http://localhost:${server.port}`,
    identityOrigin: `http://localhost:${identityPort}`,
    db,
    addBook: (book) =>
      addBook(db, { author: 'A. Writer', image: testImage, priceCents: 1299, ...book }, null),
    async checkoutOf(title) {
      const [book] = await booksNamed(title);
      if (!book) throw new Error(`no book is called ${title}`);
      return screens.checkout(book.id);
    },
    booksNamed,
    orders: () =>
      db
        .selectFrom('orders')
        .select(['title', 'price_cents as priceCents', 'buyer_email as email'])
        .orderBy('placed_at')
        .execute(),
    async reprice(title, priceCents) {
      await db.updateTable('books').set({ price_cents: priceCents }).where('title', '=', title).execute();
    },
    async remove(title) {
      await db.updateTable('books').set({ removed_at: Date.now() }).where('title', '=', title).execute();
    },
    takeErrors: () => [...newLines('stdout'), ...newLines('stderr')].filter(isError),
    async close() {
      await server.stop();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A line that is neither for people, as in demo mode, nor JSON is not of the log: the process failed outside of it. What is indented
 * belongs to the line before.
 */
const isError = (line: string): boolean =>
  line.startsWith('{')
    ? JSON.parse(line).level >= errorLevel
    : !/^(?:[\d:]{8} (?!ERROR |FATAL )|\s|$|Demo mode: )| is open: /.test(line);

/** pino's number for `error`; 60 is `fatal`. */
const errorLevel = 50;
