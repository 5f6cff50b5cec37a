import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { deleteBook } from '../catalogue/delete-book.ts';
import { isOnPostgres } from './test-database.ts';
import { emma, openTestStore, type TestStore } from './test-store.ts';

let store: TestStore;
let bookPath: string;
let handled: number;
const countHandled = () => {
  handled += 1;
};
beforeEach(async () => {
  handled = 0;
  subscribe('tracing:fastify.request.handler:start', countHandled);
  store = await openTestStore({ settings: { allowedOrigins: ['https://shop.example'] } });
  const { db, catalogueVersion } = store.database;
  const { databaseChanges } = catalogueVersion;
  // PostgreSQL's notifications arrive on a separate connection, which may not be open yet; this book causes one too.
  await expect.poll(databaseChanges).not.toBeNaN();
  const changesBefore = databaseChanges();
  bookPath = paths.book((await addBook(db, emma, null)).id);
  if (isOnPostgres()) await expect.poll(databaseChanges).not.toBe(changesBefore);
});
afterEach(() => void unsubscribe('tracing:fastify.request.handler:start', countHandled));

type ReceivedResponse = { status: number; headers: IncomingHttpHeaders; body: string };

/** Sends a request with exactly these headers. @returns the response without its `Date`, and the id that no cached one has. */
const send = (
  path: string,
  headers: Record<string, string> | readonly string[] = {},
  method = 'GET',
  agent: Agent | false = false,
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(store.origin + path, { headers, method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _, 'x-request-id': __, ...headers } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers,
          body: Buffer.concat(chunks).toString('latin1'),
        });
      });
    });
    sent.on('error', reject).end();
  });

test.each([
  ['the first page', () => paths.books, {}],
  ['the first page in brotli', () => paths.books, { 'accept-encoding': 'gzip, deflate, br, zstd' }],
  ['the first page in gzip', () => paths.books, { 'accept-encoding': 'gzip' }],
  ['the feed in brotli', () => paths.feed, { 'accept-encoding': 'br' }],
  ['a book', () => bookPath, {}],
])('%s comes from the cache with the same headers and body', async (_, path, headers) => {
  const first = await send(path(), headers);
  expect([first.status, handled]).toEqual([200, 1]);

  expect(await send(path(), headers)).toEqual(first);
  expect(await send(path(), { ...headers, cookie: 'colophon-session=unknown' })).toEqual(first);

  expect(handled).toBe(1);
});

test.each([
  ['the first page', () => paths.books, {}],
  ['the first page in brotli', () => paths.books, { 'accept-encoding': 'gzip, deflate, br, zstd' }],
  ['a book', () => bookPath, {}],
])('a returning visitor gets the 304 for %s from the cache, with its headers', async (_, path, headers) => {
  const { etag = '', ...first } = (await send(path(), headers)).headers;
  const { 'content-type': _type, 'content-encoding': _encoding, 'content-length': _length, ...kept } = first;

  const response = await send(path(), { ...headers, 'if-none-match': etag });

  expect(response).toEqual({ status: 304, headers: { ...kept, etag }, body: '' });
  expect(response.headers).toMatchObject({
    'cache-control': 'public, no-cache',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.vary).toBe(first.vary);
  expect(handled).toBe(1);
});

test('each content encoding has its own response', async () => {
  const encodings = ['br', 'gzip', 'identity', 'br', 'gzip', 'identity'];

  const responses: ReceivedResponse[] = [];
  for (const encoding of encodings) {
    responses.push(await send(paths.books, { 'accept-encoding': encoding }));
  }

  expect(responses.map(({ headers }) => headers['content-encoding'] ?? 'identity')).toEqual(encodings);
  expect(handled).toBe(3);
});

test('a change of the book invalidates its response, in this process and in another', async () => {
  const cookie = await store.signIn();
  expect((await send(bookPath)).status).toBe(200);
  expect((await send(bookPath)).status).toBe(200);

  await store.call(bookPath.replace('/book/', '/deleteBook/'), { method: 'DELETE', cookie });
  expect((await send(bookPath)).status).toBe(404);
  await store.call(bookPath.replace('/book/', '/restoreBook/'), { method: 'POST', cookie });
  expect((await send(bookPath)).status).toBe(200);
  expect((await send(bookPath)).status).toBe(200);

  const other = await store.openDatabaseAgain();
  await deleteBook(other.db, bookPath.slice('/book/'.length), {
    customerId: 'c',
    email: 'admin@example.com',
    address: '::1',
  });
  await expect.poll(async () => (await send(bookPath)).status, { timeout: 1_000, interval: 5 }).toBe(404);
});

const loads = async () => {
  const { body } = await send(paths.metrics);
  return Number(/^response_cache_total\{result="load"\} (\d+)$/m.exec(body)?.[1]);
};
const storedPaths = () => [
  ...[paths.books, paths.front, paths.sitemap, paths.feed, paths.openApi, paths.docs],
  ...[bookPath, paths.beside(bookPath.slice('/book/'.length))],
];

test('an address with a made-up query is not stored, so a client cannot fill the cache', async () => {
  for (const path of storedPaths()) {
    expect((await send(path)).status, path).toBe(200);
    const before = await loads();
    handled = 0;

    for (const _ of [1, 2]) expect((await send(`${path}?made-up`)).status, path).toBe(200);

    expect(handled, path).toBe(2);
    await send(path);
    expect([handled, await loads()], path).toEqual([2, before]);
  }
});

test('cross-origin requests, searches and unknown books are not answered with the cached response', async () => {
  const { headers } = await send(paths.books);
  await send(paths.books);

  const crossOrigin = await send(paths.books, { origin: 'https://shop.example' });
  expect(crossOrigin.headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect((await send(`${paths.books}?q=nothing`)).body).toBe('[]');
  expect((await send(`${bookPath}x`)).status).toBe(404);
});

test.each([
  ['HEAD', {}],
  ['GET', { 'content-length': '0' }],
  ['GET', { 'transfer-encoding': 'chunked' }],
])('the framework handles %s with %j', async (method, headers) => {
  const cached = await send(bookPath);
  await send(bookPath);
  expect(handled).toBe(1);

  const response = await send(bookPath, headers, method);

  expect([response.status, response.headers['content-length']]).toEqual([
    200,
    cached.headers['content-length'],
  ]);
  expect(handled).toBe(2);
});

test.each([
  ['a foreign host', ['Host', 'evil.example'], 421, 'MISDIRECTED_REQUEST'],
  ['two hosts', ['Host', 'localhost', 'Host', 'evil.example'], 400, 'TWO_HOSTS'],
  ['one host twice', ['Host', 'localhost', 'Host', 'localhost'], 400, 'TWO_HOSTS'],
])('a request that names %s does not get the cached response', async (_, headers, status, code) => {
  for (const host of ['localhost', '127.0.0.1:3000', 'localhost']) {
    expect((await send(bookPath, { host })).status).toBe(200);
  }
  expect(handled).toBe(1);

  const response = await send(bookPath, headers);

  expect([response.status, JSON.parse(response.body).code]).toEqual([status, code]);
});

test('a store that is stopping closes a connection that is still open', async () => {
  await send(bookPath);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await send(bookPath, {}, 'GET', agent)).headers.connection).toBe('keep-alive');

  const stopping = store.app.close();
  const response = await send(bookPath, {}, 'GET', agent).catch(() => undefined);
  await stopping;

  expect(response?.headers.connection ?? 'close').toBe('close');
  agent.destroy();
});

test('metrics count cached responses too', async () => {
  for (let index = 0; index < 5; index += 1) await send(bookPath);

  const { body } = await send('/metrics');
  const series = 'method="GET",route="/book/:id",status="200"';
  expect(body).toContain(`http_request_duration_seconds_count{${series}} 5`);
  expect(body).toContain(`http_request_duration_seconds_bucket{le="10",${series}} 5`);
});
