import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../../server/catalogue/books.ts';
import type { Database } from '../../server/database/open.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { externalProvider, startStore } from '../../server/testing/server-process.ts';
import { setUpTestDatabase } from '../../server/testing/test-database.ts';
import { reader } from '../../server/testing/test-store.ts';

const testDatabase = setUpTestDatabase();
let database: Database;
let store: ServerProcess;
let cookie: string;
let clients: Client[];
beforeEach(async () => {
  clients = [];
  database = await testDatabase.open();
  await addBook(
    database.db,
    { title: 'Emma', author: 'Jane Austen', image: '/emma.webp', priceCents: 1299 },
    null,
  );
  const { sessionId } = await startSession(database.db, reader, {
    providerIssuer: externalProvider.OIDC_ISSUER,
  });
  cookie = `${sessionCookieName({ isSecure: false })}=${sessionId}`;
  store = await startStore({
    ...externalProvider,
    DATABASE_URL: testDatabase.url,
    RATE_LIMITS: 'off',
  });
});
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  await store.kill();
});

type Answer = { status: number; head: string; ms: number };
type Client = { socket: Socket; send(path: string): Promise<Answer> };

/** A connection with one request at a time, which costs less than those of `fetch`. Responses must fit into one chunk. */
async function openClient(): Promise<Client> {
  const socket = connect({ port: store.port, host: '127.0.0.1' }).setEncoding('latin1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const client: Client = {
    socket,
    send: (path) =>
      new Promise((resolve) => {
        const sentAt = performance.now();
        socket.once('data', (head: string) => {
          resolve({ status: Number(head.slice(9, 12)), head, ms: performance.now() - sentAt });
        });
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
      }),
  };
  clients.push(client);
  return client;
}

/** Opens connections that the store has accepted. */
async function openClients(count: number): Promise<Client[]> {
  const opened: Client[] = [];
  for (let number = 0; number < count; number += 1) {
    const client = await openClient();
    await client.send(paths.health);
    opened.push(client);
  }
  return opened;
}

const sendAll = (senders: readonly Client[], path: string) =>
  Promise.all(senders.map((client) => client.send(path)));

const median = (answers: readonly Answer[]): number =>
  answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length / 2)] ?? Number.NaN;

const countShed = async (): Promise<number> => {
  const metrics = await (await fetch(store.origin + paths.metrics)).text();
  return Number(/^requests_shed_total (\d+)$/m.exec(metrics)?.[1]);
};

/** Stops the store for a while: requests that clients send meanwhile arrive together. */
async function whileStopped<Result>(stallMs: number, action: () => Promise<Result>): Promise<Result> {
  process.kill(store.pid, 'SIGSTOP');
  const result = action();
  await pause(stallMs);
  process.kill(store.pid, 'SIGCONT');
  return await result;
}

test.skipIf(process.platform === 'win32')(
  'after a stall of 400 milliseconds the requests of 200 clients are all served',
  async () => {
    const visitors = await openClients(200);

    const answers = await whileStopped(400, () => sendAll(visitors, paths.session));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await countShed()).toBe(0);
  },
);

test('beside 500 clients that do not stop, the first page waits no longer than what is loaded for each of them', {
  timeout: 60_000,
}, async () => {
  await (await fetch(store.origin + paths.books)).text();
  const hammer = async (senders: readonly Client[], path: string, ms: number): Promise<Answer[]> => {
    const answers: Answer[] = [];
    const end = performance.now() + ms;
    await Promise.all(
      senders.map(async (client) => {
        while (performance.now() < end) answers.push(await client.send(path));
      }),
    );
    return answers;
  };
  const crowd = await openClients(500);
  const [visitor] = await openClients(1);
  if (!visitor) throw new Error('no connection was opened');

  const [answers, firstPages] = await Promise.all([
    hammer(crowd, paths.session, 3_000),
    hammer([visitor], paths.books, 3_000),
  ]);

  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(median(firstPages)).toBeLessThan(median(answers) + 50);
  expect(firstPages.every(({ status }) => status === 200)).toBe(true);
});
