import { once } from 'node:events';
import { Agent, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import type { Database } from '../database/open.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import type { ServerProcess } from './server-process.ts';
import { externalProvider, startStore } from './store-process.ts';
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

/** A client that records what it gets, and how its connection ends. */
async function openClient({ allowHalfOpen = false } = {}) {
  const socket = connect({ port: store.port, host: '127.0.0.1', allowHalfOpen });
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
const untilClosed = ({ socket }: Client) => (socket.closed ? undefined : once(socket, 'close'));
const announcesEnd = ({ received }: Client) => /\r\nconnection: close\r\n/i.test(received);

test.runIf(process.platform === 'linux')(
  'a stop answers every request that has arrived, also on connections that were not accepted yet, and resets none',
  async () => {
    await start();
    const cookie = await signIn();
    const idle = await openClient();
    idle.socket.write(get(paths.health));
    await once(idle.socket, 'data');
    const pipelining = await openClient();
    const halfSent = await openClient();
    halfSent.socket.write('GET /books HTTP/1.1\r\nHost: loc');
    const uploading = await openClient();
    uploading.socket.write(
      `POST /addOrder HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 9\r\n\r\n{',
    );
    const silent = await openClient();
    // The store reads what it has got so far.
    await (await fetch(store.origin + paths.health)).text();

    process.kill(store.pid, 'SIGSTOP');
    idle.socket.write(get(paths.books));
    pipelining.socket.write(get(paths.books) + get(paths.health) + get(paths.session));
    const unaccepted = await Promise.all(Array.from({ length: 30 }, () => openClient()));
    for (const { socket } of unaccepted) socket.write(get(paths.books));
    const stopped = store.stop();
    process.kill(store.pid, 'SIGCONT');
    await Promise.all([...unaccepted, idle, pipelining].map(({ socket }) => once(socket, 'end')));
    halfSent.socket.write('alhost\r\n\r\n');
    uploading.socket.write('"a": 1 }');
    await Promise.all([...unaccepted, idle, pipelining, halfSent, uploading, silent].map(untilClosed));

    expect(unaccepted.map(responsesOf)).toEqual(unaccepted.map(() => ['200']));
    expect([idle, pipelining, halfSent, uploading, silent].map(responsesOf)).toEqual([
      ['200', '200'],
      ['200', '200', '200'],
      ['200'],
      ['400'],
      [],
    ]);
    expect([halfSent, uploading].map(announcesEnd)).toEqual([true, true]);
    expect(await stopped).toEqual({ exitCode: 0, signal: null });
  },
);

test('during STOP_DELAY_MS the store is not ready, accepts connections, answers pipelined requests, and closes each connection after its last response', async () => {
  await start({ STOP_DELAY_MS: '1500' });
  await (await fetch(store.origin + paths.books)).text();
  const idle = await openClient();
  idle.socket.write(get(paths.books));
  await once(idle.socket, 'data');

  const stopped = store.stop();
  await expect.poll(async () => (await fetch(store.origin + paths.readiness)).status).toBe(503);
  process.kill(store.pid, 'SIGTERM');
  const clients = [];
  for (const path of [paths.books, paths.health, paths.readiness, '/nowhere']) {
    const client = await openClient();
    client.socket.write(get(path));
    await untilClosed(client);
    clients.push(client);
  }
  const pipelining = await openClient();
  pipelining.socket.write(get(paths.books) + get(paths.health) + get(paths.session));
  idle.socket.write(get(paths.books));
  await Promise.all([pipelining, idle].map(untilClosed));

  expect(clients.map(responsesOf)).toEqual([['200'], ['200'], ['503'], ['404']]);
  expect([...clients, idle, pipelining].every(announcesEnd)).toBe(true);
  expect([idle, pipelining].map(responsesOf)).toEqual([
    ['200', '200'],
    ['200', '200', '200'],
  ]);
  expect(await stopped).toEqual({ exitCode: 0, signal: null });
});

test('a stop under load, with orders, loses no request, and no response is a failure', {
  timeout: 60_000,
}, async () => {
  await start({ STOP_DELAY_MS: '1500' });
  const { id } = await addBook(database.db, emma, null);
  const cookie = await signIn();
  const calls = [
    { path: paths.books },
    { path: paths.book(id) },
    { path: paths.session },
    { path: paths.addOrder, method: 'POST', body: JSON.stringify(orderOf(emma)) },
  ];
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const agent = new Agent({ keepAlive: true, maxSockets: 24 });
  let isOver = false;
  const visit = async (name: number): Promise<void> => {
    for (let number = name; !isOver; number += 1) {
      const { path, method = 'GET', body } = calls[number % calls.length] ?? { path: '/' };
      const headers = { cookie, 'content-type': 'application/json', 'idempotency-key': `${name}-${number}` };
      count(String(await send(path, { method, headers, body }).catch(String)));
    }
  };
  const send = (path: string, { body, ...options }: RequestOptions & { body?: string | undefined }) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(store.origin + path, { agent, ...options }, (response) => {
        text(response).then(() => resolve(response.statusCode), reject);
      })
        .on('error', reject)
        .end(body);
    });
  const visits = Array.from({ length: 24 }, (_, name) => visit(name));
  const countOrders = () => outcomes.get('201') ?? 0;
  await expect.poll(countOrders).toBeGreaterThan(0);

  const stopped = store.stop();
  // A proxy that gets the 503 sends no more requests.
  await expect.poll(() => send(paths.readiness, { agent: false })).toBe(503);
  const orderCount = countOrders();
  await expect.poll(countOrders).toBeGreaterThan(orderCount);
  isOver = true;
  await Promise.all(visits);

  expect([...outcomes.keys()].toSorted()).toEqual(['200', '201']);
  expect(await stopped).toEqual({ exitCode: 0, signal: null });
  agent.destroy();
});

test('a stop without a delay waits for no idle connection, and does not reset one on which a request is sent meanwhile', async () => {
  await start();
  const used = await openClient({ allowHalfOpen: true });
  used.socket.write(get(paths.books));
  await once(used.socket, 'data');
  const unused = await openClient();
  const halfSent = await openClient();
  halfSent.socket.write('GET /books HTTP/1.1\r\nHost: loc');

  const stopped = store.stop();
  await once(used.socket, 'end');
  await promisify(used.socket.write.bind(used.socket))(get(paths.books));
  // On a connection that was reset this is an error.
  used.socket.end(get(paths.books));
  await Promise.all([used, unused].map(untilClosed));
  // A stop that gave up on the others would have ended this one too.
  halfSent.socket.write('alhost\r\n\r\n');
  await Promise.all([stopped, untilClosed(halfSent)]);

  expect([used, unused, halfSent].map(responsesOf)).toEqual([['200'], [], ['200']]);
});

test.skipIf(process.platform === 'win32')(
  'the log has the signal that began a stop, and says last that it has ended',
  async () => {
    await start();

    process.kill(store.pid, 'SIGHUP');
    await store.stop();

    const lines = store.stdout().match(/^\{.*\}$/gm) ?? [];
    const messages = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('stop'));
    expect(messages).toMatchObject([{ msg: 'stopping', signal: 'SIGHUP' }, { msg: 'stopped' }]);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
  },
);

test('a stop answers requests that still wait for a lock or for their body with 503, and resets none', async () => {
  await start();
  const cookie = await signIn();
  const body = JSON.stringify(emmaSent);
  const additionOf = (length: number) =>
    `POST /addBook HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n${body}`;
  const clients = await Promise.all(Array.from({ length: 5 }, () => openClient()));

  await database.db.transaction().execute(async (db) => {
    // On SQLite a transaction locks the whole file.
    if (isOnPostgres()) await sql`lock table books in access exclusive mode`.execute(db);
    for (const [index, { socket }] of clients.entries()) {
      socket.write(additionOf(index === 0 ? body.length + 1 : body.length));
    }
    await (await fetch(store.origin + paths.health)).text();
    store.stop().catch(() => {});
    await Promise.all(clients.map(untilClosed));
  });

  expect(clients.map(responsesOf)).toEqual(clients.map(() => ['503']));
  expect(clients.every(announcesEnd)).toBe(true);
  expect(clients.every(({ received }) => /\r\nretry-after: 2\r\n/i.test(received))).toBe(true);
});
