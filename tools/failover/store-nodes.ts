/** The store's own processes, as an installation would run them, and what the buyers need: a book and their sessions. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addBook } from '../../server/catalogue/books.ts';
import { openDatabase } from '../../server/database/open.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { type Machine, makeMachine, startOn, statusOf, waitFor } from './machines.ts';

const root = join(import.meta.dirname, '..', '..');

export type Buyer = { email: string; cookie: string };

export const book = { title: 'Emma', author: 'Jane Austen', price: 12.99 } as const;

export async function buildPagesIfMissing(): Promise<void> {
  if (existsSync(join(root, 'dist', 'index.html'))) return;
  const vite = join(root, 'node_modules', 'vite');
  const { bin } = JSON.parse(readFileSync(join(vite, 'package.json'), 'utf8'));
  await promisify(execFile)(process.execPath, [join(vite, bin.vite), 'build', '--logLevel', 'warn'], {
    cwd: root,
  });
}

/** Makes the tables, the book and a signed-in customer for each buyer. */
export async function openShop(databaseUrl: string, buyerCount: number): Promise<Buyer[]> {
  const { db, close } = await openDatabase({
    engine: 'postgres',
    url: databaseUrl,
    poolSize: 2,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 30_000,
  });
  try {
    const { title, author, price } = book;
    const image = 'https://covers.example/emma.jpg';
    await addBook(db, { title, author, image, priceCents: Math.round(price * 100) }, null);
    const buyers: Buyer[] = [];
    for (let number = 1; number <= buyerCount; number += 1) {
      const email = `buyer-${number}@example.com`;
      const sessionId = await startSession(db, {
        issuer: 'http://localhost:1',
        sub: `buyer-${number}`,
        email,
        isEmailVerified: true,
        name: `Buyer ${number}`,
        photo: '',
      });
      buyers.push({ email, cookie: `colophon-session=${sessionId}` });
    }
    return buyers;
  } finally {
    await close();
  }
}

export type NodeOptions = {
  folder: string;
  ports: readonly number[];
  publicUrl: string;
  databaseUrl: string;
};

/** @returns when every node takes orders. */
export async function startNodes({ folder, ports, publicUrl, databaseUrl }: NodeOptions): Promise<Machine[]> {
  const nodes = ports.map((_, index) => makeMachine(folder, `node-${index + 1}`, undefined));
  for (const [index, node] of nodes.entries()) {
    startOn(node, {
      program: process.execPath,
      args: [join(root, 'server', 'main.ts')],
      env: {
        PORT: String(ports[index]),
        PUBLIC_URL: publicUrl,
        DATABASE_URL: databaseUrl,
        // Nobody signs in: the sessions are there. With a provider named, no demo is started.
        OIDC_ISSUER: 'http://localhost:1',
        OIDC_CLIENT_ID: 'colophon',
        OIDC_CLIENT_SECRET: 'secret',
        LOG_LEVEL: 'warn',
      },
    });
  }
  for (const port of ports) {
    await waitFor(
      `the node on port ${port}`,
      async () => (await statusOf(`http://127.0.0.1:${port}/readyz`)) === 200,
      30_000,
    );
  }
  return nodes;
}
