import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import type { ExitStatus, ServerProcess } from './server-process.ts';
import { externalProvider, startStore } from './server-process.ts';
import { isOnPostgres, setUpTestDatabase } from './test-database.ts';
import { emma, emmaSent, orderOf, reader } from './test-store.ts';

const testDatabase = setUpTestDatabase();
let database: Database;
let store: ServerProcess;
beforeEach(async () => {
  database = await testDatabase.open();
});
afterEach(() => store.kill());

const start = async (settings: Record<string, string> = {}) => {
  const environment = { ...externalProvider, DATABASE_URL: testDatabase.url, RATE_LIMITS: 'off' };
  store = await startStore({ ...environment, ...settings });
};

/** @returns the value of the Cookie header. */
async function signIn(): Promise<string> {
  const providerIssuer = externalProvider.OIDC_ISSUER;
  const { sessionId } = await startSession(database.db, reader, { providerIssuer });
  return `${sessionCookieName({ isSecure: false })}=${sessionId}`;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
/** The head of a POST with a body of JSON. */
const headOf = (path: string, cookie: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${length}\r\n\r\n`;
/** Resolves when the store has read what was sent before. */
const untilRead = async () => void (await (await fetch(store.origin + paths.health)).text());

/** A client that records what it gets, and how its connection ends. */
async function openClient() {
  const socket = connect({ port: store.port, host: '127.0.0.1' });
  const client = { socket, received: '', error: undefined as Error | undefined };
  socket.setEncoding('latin1').on('data', (chunk) => {
    client.received += chunk;
  });
  socket.on('error', (error) => {
    client.error = error;
  });
  await once(socket, 'connect');
  return client;
}
type Client = Awaited<ReturnType<typeof openClient>>;

const responsesOf = ({ received, error }: Client) =>
  error?.message ?? [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
const untilClosed = ({ socket }: Client) =>
  socket.closed ? undefined : new Promise((resolve) => socket.once('close', resolve));
const announcesEnd = ({ received }: Client) => /\r\nconnection: close\r\n/i.test(received);

test('a stop answers the requests under way, and waits for no idle connection', async () => {
  await start();
  const cookie = await signIn();
  const idle = await openClient();
  idle.socket.write(get(paths.health));
  await once(idle.socket, 'data');
  const halfSent = await openClient();
  halfSent.socket.write('GET /books HTTP/1.1\r\nHost: loc');
  const uploading = await openClient();
  uploading.socket.write(`${headOf(paths.addOrder, cookie, 9)}{`);
  await untilRead();

  const stopped = store.stop();
  await untilClosed(idle);
  // A stop that gave up on the other connections would have ended these too.
  halfSent.socket.write('alhost\r\n\r\n');
  uploading.socket.write('"a": 1 }');
  await Promise.all([halfSent, uploading].map(untilClosed));

  expect([idle, halfSent, uploading].map(responsesOf)).toEqual([['200'], ['200'], ['400']]);
  expect([halfSent, uploading].map(announcesEnd)).toEqual([true, true]);
  expect(await stopped).toEqual({ exitCode: 0, signal: null });
});

test('during STOP_DELAY_MS the store is not ready, and answers all that arrives, orders included: no request is lost, and no response is a failure', {
  timeout: 60_000,
}, async () => {
  await start({ STOP_DELAY_MS: '3000' });
  const { id } = await addBook(database.db, emma, null);
  const headers = { cookie: await signIn(), 'content-type': 'application/json' };
  const order = { method: 'POST', body: JSON.stringify(orderOf(emma)) };
  const calls = [[paths.books], [paths.book(id)], [paths.session], [paths.addOrder, order]] as const;
  const outcomes = new Map<string, number>();
  let isOver = false;
  const visit = async (name: number): Promise<void> => {
    for (let number = name; !isOver; number += 1) {
      const [path, init] = calls[number % calls.length] ?? ['/'];
      const sent = fetch(store.origin + path, {
        ...init,
        headers: { ...headers, 'idempotency-key': `${name}-${number}` },
      });
      const outcome = await sent.then((answer) => answer.text().then(() => String(answer.status)), String);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const visits = Array.from({ length: 24 }, (_, name) => visit(name));
  const countOrders = () => outcomes.get('201') ?? 0;
  await expect.poll(countOrders).toBeGreaterThan(0);
  const idle = await openClient();
  idle.socket.write(get(paths.books));
  await once(idle.socket, 'data');

  const stopped = store.stop();
  // A proxy that gets a 503 sends no more requests.
  await expect.poll(async () => (await fetch(store.origin + paths.readiness)).status).toBe(503);
  process.kill(store.pid, 'SIGTERM');
  idle.socket.write(get(paths.books));
  await untilClosed(idle);
  const orderCount = countOrders();
  await expect.poll(countOrders).toBeGreaterThan(orderCount);
  isOver = true;
  await Promise.all(visits);

  expect([...outcomes.keys()].toSorted()).toEqual(['200', '201']);
  expect(responsesOf(idle)).toEqual(['200', '200']);
  // This is the last response of the connection.
  expect(announcesEnd(idle)).toBe(true);
  expect(await stopped).toEqual({ exitCode: 0, signal: null });
});

test('a stop gives up on requests that do not end: those that wait for a lock or their body are cut off; the log has the signal that began it, and says last that it has ended', async () => {
  await start();
  const cookie = await signIn();
  const body = JSON.stringify(emmaSent);
  const clients = await Promise.all(Array.from({ length: 5 }, () => openClient()));
  const unfinished = await openClient();
  unfinished.socket.write('GET /books HTTP/1.1\r\nHost: loc');

  let stopped: Promise<ExitStatus> | undefined;
  await database.db.transaction().execute(async (db) => {
    // On SQLite a transaction locks the whole file.
    if (isOnPostgres()) await sql`lock table books in access exclusive mode`.execute(db);
    for (const [index, { socket }] of clients.entries()) {
      socket.write(headOf(paths.addBook, cookie, index === 0 ? body.length + 1 : body.length) + body);
    }
    await untilRead();
    process.kill(store.pid, 'SIGHUP');
    await expect.poll(() => store.stdout()).toContain('"msg":"stopping"');
    stopped = store.stop();
    await Promise.all(clients.map(untilClosed));
  });

  expect(await stopped).toEqual({ exitCode: 0, signal: null });
  // Requests that waited for a lock may have got the database's own error.
  for (const { received } of clients) expect(received).toMatch(/^$|^HTTP\/1\.1 503 /);
  const lines = store.stdout().match(/^\{.*\}$/gm) ?? [];
  const messages = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /^stop(ping|ped)$/.test(msg));
  expect(messages).toMatchObject([{ msg: 'stopping', signal: 'SIGHUP' }, { msg: 'stopped' }]);
  expect(lines.at(-1)).toContain('"msg":"stopped"');
});
