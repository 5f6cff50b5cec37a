/** The real store, as `npm run serve` starts it, with a port, a provider's port and a database of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addBook, type BookForSale } from '../server/catalogue/books.ts';
import { type Database, openDatabase } from '../server/database/open.ts';
import { settingNames } from '../server/settings.ts';
import { addTestBooks, testImage } from './test-books.ts';

const root = join(import.meta.dirname, '..');
const startWithinMs = 60_000;

/** The environment without any of the store's settings that stand in it. */
const surroundings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !(settingNames as readonly string[]).includes(name)),
);

export type Store = {
  origin: string;
  /** The demo provider's origin. */
  identityOrigin: string;
  /** The same file that the store has open, for what no visitor could do. */
  db: Database['db'];
  addBook(book: Partial<Omit<BookForSale, 'id'>> & { title: string }): Promise<BookForSale>;
  /** The address of the checkout of the book that has this title. */
  checkoutOf(title: string): Promise<string>;
  /** Everybody's, oldest first. */
  orders(): Promise<{ title: string; priceCents: number; email: string }[]>;
  /** Changes a book behind the back of whoever is looking at it. */
  reprice(title: string, priceCents: number): Promise<void>;
  remove(title: string): Promise<void>;
  /** What the store wrote into its log since the last call, at the level of errors. */
  takeErrors(): string[];
  close(): Promise<void>;
};

export type StoreOptions = {
  env?: Record<string, string>;
  /** What stands on the shelf before the store opens: an empty one would be filled with the demo's catalogue. */
  stock?: (db: Database['db']) => Promise<unknown>;
};

export async function openStore({ env = {}, stock = addTestBooks }: StoreOptions = {}): Promise<Store> {
  if (!existsSync(join(root, 'dist', 'index.html'))) {
    throw new Error('The pages are not built: `npm run build` builds them.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'colophon-e2e-'));
  const file = join(folder, 'store.db');
  const database = await openDatabase({ engine: 'sqlite', file });
  await stock(database.db);

  const [port, identityPort] = await freePorts();
  const origin = `http://localhost:${port}`;
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...surroundings,
      PORT: String(port),
      DEMO_IDENTITY_PORT: String(identityPort),
      DATABASE_URL: `sqlite:${file}`,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = keepLog(server);
  try {
    await untilReady(origin, server);
  } catch (cause) {
    server.kill('SIGKILL');
    throw new Error(`The store did not start:\n${log.text()}`, { cause });
  }

  const { db } = database;
  return {
    origin,
    identityOrigin: `http://localhost:${identityPort}`,
    db,
    addBook: (book) =>
      addBook(db, { author: 'A. Writer', image: testImage, priceCents: 1299, ...book }, null),
    async checkoutOf(title) {
      const { id } = await db
        .selectFrom('books')
        .select('id')
        .where('title', '=', title)
        .executeTakeFirstOrThrow();
      return `/checkout/${id}`;
    },
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
    takeErrors: log.takeErrors,
    async close() {
      if (server.exitCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(origin: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`);
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    if (answer?.ok) return;
    await pause(50);
  }
  throw new Error(`it was not ready within ${startWithinMs} ms`);
}

/** pino's number for `error`; 60 is `fatal`. */
const errorLevel = 50;

function keepLog(server: ChildProcess) {
  const lines: string[] = [];
  let takenUpTo = 0;
  const keep = (text: string) => lines.push(...text.split('\n').filter((line) => line !== ''));
  server.stdout?.setEncoding('utf8').on('data', keep);
  server.stderr?.setEncoding('utf8').on('data', keep);
  return {
    text: () => lines.join('\n'),
    takeErrors() {
      const fresh = lines.slice(takenUpTo);
      takenUpTo = lines.length;
      return fresh.filter((line) =>
        // What is no line of the log's JSON went wrong outside of it.
        line.startsWith('{') ? JSON.parse(line).level >= errorLevel : !line.includes(' is open: '),
      );
    },
  };
}

/** Two ports that nobody listens on just now. */
async function freePorts(): Promise<[number, number]> {
  const holders = [createServer(), createServer()];
  const ports: number[] = [];
  for (const holder of holders) {
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    if (address && typeof address === 'object') ports.push(address.port);
  }
  for (const holder of holders) {
    holder.close();
    await once(holder, 'close');
  }
  const [one, other] = ports;
  if (one === undefined || other === undefined) throw new Error('no port is free');
  return [one, other];
}
