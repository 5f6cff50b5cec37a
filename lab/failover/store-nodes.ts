/** The nodes of the store, and the data that the buyers need: a book and their sessions. */

import { addBook } from '../../server/catalogue/books.ts';
import { openDatabase } from '../../server/database/open.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { externalProvider, startStore } from '../../server/testing/server-process.ts';
import { createMachine, type Machine } from '../rigs/machines.ts';

/** `cookie` is the value of the Cookie header. */
export type Buyer = { email: string; cookie: string };

/** The only book. */
export const book = { title: 'Emma', author: 'Jane Austen', priceCents: 1299 } as const;

/** Creates the tables, the book and a session for each buyer. @param copies of the book; null: any number. */
export async function prepareStore(
  databaseUrl: string,
  buyerCount: number,
  copies: number | null = null,
): Promise<Buyer[]> {
  const { db, close } = await openDatabase(
    readDatabaseSettings({
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '2',
      DATABASE_CONNECT_TIMEOUT_MS: '5000',
      DATABASE_STATEMENT_TIMEOUT_MS: '30000',
    }),
  );
  try {
    await addBook(db, { ...book, image: 'https://covers.example/emma.jpg', copies }, null);
    const cookieName = sessionCookieName({ isSecure: false });
    const buyers: Buyer[] = [];
    for (let number = 1; number <= buyerCount; number += 1) {
      const email = `buyer-${number}@example.com`;
      const { sessionId } = await startSession(
        db,
        {
          issuer: externalProvider.OIDC_ISSUER,
          sub: `buyer-${number}`,
          email,
          isEmailVerified: true,
          name: `Buyer ${number}`,
          photo: '',
        },
        { providerIssuer: externalProvider.OIDC_ISSUER },
      );
      buyers.push({ email, cookie: `${cookieName}=${sessionId}` });
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

/** Starts a node of the store on each port. Resolves when every node is ready. */
export async function startNodes({ folder, ports, publicUrl, databaseUrl }: NodeOptions): Promise<Machine[]> {
  const nodes = ports.map((port, index) => ({ port, machine: createMachine(folder, `node-${index + 1}`) }));
  await Promise.all(
    nodes.map(({ port, machine }) =>
      startStore(
        {
          ...externalProvider,
          PORT: String(port),
          PUBLIC_URL: publicUrl,
          DATABASE_URL: databaseUrl,
          LOG_LEVEL: 'warn',
          // All buyers are one client.
          RATE_LIMITS: 'off',
        },
        { workingFolder: machine.folder, logFile: machine.logFile, isDetached: true },
      ),
    ),
  );
  return nodes.map(({ machine }) => machine);
}
