import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { imageAddress } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { endsWithTest } from './ends-with-test.ts';
import { openTestStore, type TestStore, type TestStoreOptions } from './test-store.ts';

let store: TestStore;

const open = async (options: TestStoreOptions = {}) => {
  store = await openTestStore(options);
};

/** Opens a connection that reads nothing before it is told to. */
async function openConnection(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(store.origin).port), host: '127.0.0.1' });
  endsWithTest(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string, host = 'localhost:3000') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** Reads to the end. @returns what came before the store closed the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

/** How many connections the store has. */
const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    store.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** More than the kernel takes for a client that does not read. */
const largeBytes = 16 * 1024 * 1024;

async function addLargeImage(): Promise<string> {
  const { db } = store.database;
  const id = 'a'.repeat(32);
  await db.insertInto('images').values({ id, width: 240, height: 240, created_at: Date.now() }).execute();
  const bytes = new Uint8Array(largeBytes);
  await db.insertInto('image_renditions').values({ image_id: id, width: 960, bytes }).execute();
  return imageAddress(id);
}

/** Opens a connection that leaves its responses unread. */
async function openUnread(path: string, requests = 1): Promise<{ socket: Socket; atStore: Socket }> {
  const accepted = once(store.app.server, 'connection');
  const socket = await openConnection();
  const [atStore] = await accepted;
  socket.write(get(path).repeat(requests));
  return { socket, atStore };
}

/** @returns the address of a book whose response, of 600 KB, is in the cache. */
async function addCachedBook(): Promise<string> {
  const book = { title: 'Emma', author: 'a'.repeat(600 * 1024), image: 'emma.webp', priceCents: 1299 };
  const path = paths.book((await addBook(store.database.db, book, null)).id);
  await (await store.call(path)).text();
  return path;
}

describe('a client that leaves its response unread', () => {
  const timeouts = { unreadMs: 300, checkMs: 50 };

  test.each([
    ['is disconnected: an image', addLargeImage, 1],
    ['is disconnected: pipelined responses of the cache', addCachedBook, 30],
  ])('%s', async (_, add, requests) => {
    await open({ timeouts });
    const { socket, atStore } = await openUnread(await add(), requests);

    await once(atStore, 'close');

    expect((await readAll(socket)).length).toBeLessThan(largeBytes);
  });
});

test('a client that sends requests ahead of their responses gets each when they are few, and is disconnected when they are many', async () => {
  await open();
  await (await store.call(paths.books)).text();
  const socket = await openConnection();
  socket.setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  for (let round = 1; round <= 3; round += 1) {
    socket.write(get(paths.health).repeat(30));
    await expect.poll(() => received.split('HTTP/1.1 200').length - 1).toBe(30 * round);
  }

  for (const path of [paths.health, paths.books]) {
    const many = await openConnection();
    many.write(get(path).repeat(1_000));
    expect((await readAll(many)).split('HTTP/1.1 200').length - 1, path).toBeLessThan(33);
  }
});

test('a client that reads slowly and steadily gets its whole response', async () => {
  await open({ timeouts: { unreadMs: 1_000, checkMs: 50 } });
  const path = await addLargeImage();
  const socket = await openConnection();
  socket.write(get(path));

  const startedAt = performance.now();
  let received = 0;
  while (received < largeBytes) {
    const chunk: Buffer | null = socket.read();
    received += chunk?.length ?? 0;
    expect(socket.destroyed).toBe(false);
    if (!chunk) await once(socket, 'readable');
    // One chunk has at most 64 KB.
    else await pause(5);
  }

  expect(performance.now() - startedAt).toBeGreaterThan(1_200);
});

test('a connection without a request, one whose response was read, and one whose response takes long stay open', async () => {
  await open({ timeouts: { unreadMs: 50, checkMs: 20 } });
  const image = await addLargeImage();
  const cookie = await store.signIn();
  const silent = await openConnection();
  const idle = await openConnection();
  idle.write(get('/healthz'));
  await once(idle, 'data');
  const { promise: held, resolve: finish } = Promise.withResolvers<void>();
  const holding = store.database.db.transaction().execute(async (db) => {
    await db.updateTable('sessions').set({ last_seen_at: Date.now() }).execute();
    await held;
  });
  const arrived = once(store.app.server, 'request');
  const signedOut = store.call(paths.signOut, { method: 'POST', cookie });
  await arrived;

  // The store has looked at all connections when this one is closed.
  await once((await openUnread(image)).atStore, 'close');
  idle.write(get('/healthz'));
  const [response] = await once(idle, 'data');
  finish();
  await holding;

  expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
  expect(silent.destroyed).toBe(false);
  expect((await signedOut).status).toBe(204);
});

describe('a client', () => {
  const checkMs = 20;
  const wholeRequest = 'POST /addOrder HTTP/1.1\r\nHost: localhost:3000\r\nContent-Length: 9\r\n\r\n{';

  test.each([
    ['that does not finish its headers is cut off', { headersMs: 200 }, 'GET /books HTTP/1.1\r\nHost: a'],
    ['that sends nothing is cut off', { headersMs: 200 }, ''],
    ['that does not finish its body is cut off', { headersMs: 100, requestMs: 200 }, wholeRequest],
    ['that sends no further request is disconnected', { idleMs: 100 }, get('/healthz')],
  ])('%s', { timeout: 10_000 }, async (_, timeouts, bytes) => {
    await open({ timeouts: { ...timeouts, checkMs } });
    const socket = await openConnection();

    socket.write(bytes);
    await readAll(socket);

    await expect.poll(countConnections).toBe(0);
  });

  test('may send headers of 15 KB, and none of 17 KB', async () => {
    await open();
    const statusWith = async (bytes: number) => {
      const socket = await openConnection();
      const [head] = await Promise.all([
        once(socket, 'data'),
        socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:3000\r\nX-Long: ${'a'.repeat(bytes)}\r\n\r\n`),
      ]);
      return String(head).slice('HTTP/1.1 '.length, 12);
    };

    expect(await statusWith(15 * 1024)).toBe('200');
    expect(await statusWith(17 * 1024)).toBe('431');
  });
});

test('a connection beyond MAX_CONNECTIONS is closed, until another one ends, and the log names the setting', async () => {
  const log: string[] = [];
  await open({ settings: { maxConnections: 2 }, onLog: (line) => log.push(line) });
  const refusals = async () => {
    const text = await (await store.call(paths.metrics, { headers: { connection: 'close' } })).text();
    await expect.poll(countConnections).toBeLessThan(2);
    return /^connections_refused_total (\d+)$/m.exec(text)?.[1];
  };
  expect(await refusals()).toBe('0');
  const first = await openConnection();
  const second = await openConnection();
  const refused = [await openConnection(), await openConnection()];

  expect(await Promise.all(refused.map(readAll))).toEqual(['', '']);
  expect(log.filter((line) => line.includes('MAX_CONNECTIONS'))).toHaveLength(1);

  first.end();
  await expect.poll(countConnections).toBe(1);
  expect(await refusals()).toBe('2');
  const next = await openConnection();
  for (const socket of [second, next]) {
    socket.write(get('/healthz'));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  }
});
