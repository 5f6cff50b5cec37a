import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { imageAddress } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { endsWithTest } from './ends-with-test.ts';
import { openTestStore, type TestStore } from './test-store.ts';

/** Opens a connection that reads nothing until it is told to. */
async function openConnection({ origin }: TestStore, bytes = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  endsWithTest(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:3000\r\n${headers}\r\n`;

/** Reads to the end. @returns what came before the store closed the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

const countAnswers = (text: string) => text.split('HTTP/1.1 200').length - 1;

const countConnections = ({ app }: TestStore) =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** More bytes than the kernel buffers for a client that does not read. */
const largeBytes = 16 * 1024 * 1024;

async function addLargeImage({ database: { db } }: TestStore): Promise<string> {
  const id = 'a'.repeat(32);
  await db.insertInto('images').values({ id, width: 240, height: 240, created_at: Date.now() }).execute();
  const bytes = new Uint8Array(largeBytes);
  await db.insertInto('image_renditions').values({ image_id: id, width: 960, bytes }).execute();
  return imageAddress(id);
}

/** @returns the address of a book whose response, of 600 KB, is in the cache. */
async function addCachedBook({ database: { db }, call }: TestStore): Promise<string> {
  const book = { title: 'Emma', author: 'a'.repeat(600 * 1024), image: 'emma.webp', priceCents: 1299 };
  const path = paths.book((await addBook(db, book, null)).id);
  await (await call(path)).text();
  return path;
}

test('a client that leaves its response unread is disconnected: an image, and pipelined responses of the cache', async () => {
  const store = await openTestStore({ timeouts: { silenceMs: 300 } });
  for (const requests of [get(await addLargeImage(store)), get(await addCachedBook(store)).repeat(30)]) {
    const accepted = once(store.app.server, 'connection');
    const socket = await openConnection(store, requests);
    const [atStore] = await accepted;

    await once(atStore, 'close');

    expect((await readAll(socket)).length).toBeLessThan(largeBytes);
  }
});

test('a client that reads slowly and steadily gets its whole response', async () => {
  const store = await openTestStore({ timeouts: { silenceMs: 1_000 } });
  const socket = await openConnection(store, get(await addLargeImage(store)));

  const startedAt = performance.now();
  for (let received = 0; received < largeBytes; ) {
    const chunk: Buffer | null = socket.read();
    received += chunk?.length ?? 0;
    expect(socket.destroyed).toBe(false);
    if (!chunk) await once(socket, 'readable');
    // The transfer takes longer than the connection may be silent, but has no pauses.
    else if (performance.now() - startedAt < (1_500 * received) / largeBytes) await pause(5);
  }

  expect(performance.now() - startedAt).toBeGreaterThan(1_200);
});

describe('a client', () => {
  const unfinished = 'POST /addOrder HTTP/1.1\r\nHost: localhost:3000\r\nContent-Length: 9\r\n\r\n{';

  test('that does not finish its headers is cut off, and so is one that sends nothing, or no further request', async () => {
    const store = await openTestStore({ timeouts: { headersMs: 200, idleMs: 100, checkMs: 20 } });
    const clients = ['GET /books HTTP/1.1\r\nHost: a', '', get('/healthz')];
    await Promise.all(clients.map(async (bytes) => readAll(await openConnection(store, bytes))));

    await expect.poll(() => countConnections(store)).toBe(0);
  });

  test('that does not finish its body is cut off', async () => {
    const store = await openTestStore({ timeouts: { headersMs: 100, requestMs: 200, checkMs: 20 } });
    await readAll(await openConnection(store, unfinished));

    await expect.poll(() => countConnections(store)).toBe(0);
  });

  test('may send headers of 15 KB, and none of 17 KB; few requests ahead of their responses, and not many', async () => {
    const store = await openTestStore();
    for (const [bytes, status] of [
      [15 * 1024, '200'],
      [17 * 1024, '431'],
    ] as const) {
      const socket = await openConnection(store, get(paths.health, `X-Long: ${'a'.repeat(bytes)}\r\n`));
      expect(String(await once(socket, 'data'))).toMatch(`HTTP/1.1 ${status} `);
    }

    await (await store.call(paths.books)).text();
    const few = await openConnection(store);
    let received = '';
    few.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
    });
    for (let round = 1; round <= 3; round += 1) {
      few.write(get(paths.health).repeat(30));
      await expect.poll(() => countAnswers(received)).toBe(30 * round);
    }
    for (const path of [paths.health, paths.books]) {
      const many = await openConnection(store, get(path).repeat(1_000));
      expect(countAnswers(await readAll(many)), path).toBeLessThan(33);
    }
  });
});

test('a connection beyond MAX_CONNECTIONS is closed, until another one ends, and the log names the setting', async () => {
  const log: string[] = [];
  const store = await openTestStore({ settings: { maxConnections: 2 }, onLog: (line) => log.push(line) });
  const refusals = async () => {
    const text = await (await store.call(paths.metrics, { headers: { connection: 'close' } })).text();
    await expect.poll(() => countConnections(store)).toBeLessThan(2);
    return /^connections_refused_total (\d+)$/m.exec(text)?.[1];
  };
  expect(await refusals()).toBe('0');
  const first = await openConnection(store);
  const second = await openConnection(store);
  const refused = [await openConnection(store), await openConnection(store)];

  expect(await Promise.all(refused.map(readAll))).toEqual(['', '']);
  expect(log.filter((line) => line.includes('MAX_CONNECTIONS'))).toHaveLength(1);

  first.end();
  await expect.poll(() => countConnections(store)).toBe(1);
  expect(await refusals()).toBe('2');
  for (const socket of [second, await openConnection(store)]) {
    socket.write(get('/healthz'));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  }
});
