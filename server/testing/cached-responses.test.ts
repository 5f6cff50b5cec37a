import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { deleteBook } from '../catalogue/delete-book.ts';
import { isOnPostgres } from './test-database.ts';
import { emma, setUpTestStore } from './test-store.ts';

const store = setUpTestStore({ settings: { allowedOrigins: ['https://shop.example'] } });
let bookId: string;
let bookPath: string;
let handled: number;
const countHandled = () => {
  handled += 1;
};
beforeEach(async () => {
  const { db, catalogueVersion } = store.database;
  const { databaseChanges } = catalogueVersion;
  // PostgreSQL's notifications arrive on a separate connection, which may not be open yet; adding this book causes one too.
  await expect.poll(databaseChanges).not.toBeNaN();
  const changesBefore = databaseChanges();
  bookId = (await addBook(db, emma, null)).id;
  bookPath = paths.book(bookId);
  if (isOnPostgres()) await expect.poll(databaseChanges).not.toBe(changesBefore);
  else catalogueVersion.recordLocalChange();
  handled = 0;
  subscribe('tracing:fastify.request.handler:start', countHandled);
});
afterEach(() => void unsubscribe('tracing:fastify.request.handler:start', countHandled));

type ReceivedResponse = { status: number; headers: IncomingHttpHeaders; body: string };

/** Sends a request with exactly these headers. @returns the response without its `Date`, and without the id that no cached response has. */
const send = (
  path: string,
  headers: Record<string, string> | readonly string[] = {},
  method = 'GET',
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(store.origin + path, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _, 'x-request-id': __, ...headers } = response.headers;
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({ status: response.statusCode ?? 0, headers, body });
      });
    });
    sent.on('error', reject).end();
  });

test('the first page, the feed and a book come from the cache with the same headers and body, each encoding by itself, and as 304; metrics count them', async () => {
  const requests: [path: string, encoding: string][] = [
    ...['identity', 'gzip', 'br'].map((encoding): [string, string] => [paths.books, encoding]),
    ...[[paths.feed, 'br'] as [string, string], [bookPath, 'identity'] as [string, string]],
  ];
  for (const [index, [path, encoding]] of requests.entries()) {
    const name = `${path} in ${encoding}`;
    const headers = { 'accept-encoding': encoding };
    const first = await send(path, headers);
    expect([first.status, first.headers['content-encoding'] ?? 'identity'], name).toEqual([200, encoding]);

    expect(await send(path, headers), name).toEqual(first);
    expect(await send(path, { ...headers, cookie: 'colophon-session=unknown' }), name).toEqual(first);
    const { etag = '', ...rest } = first.headers;
    const { 'content-type': _type, 'content-encoding': _encoding, 'content-length': _length, ...kept } = rest;
    const notModified = await send(path, { ...headers, 'if-none-match': etag });
    expect(notModified, name).toEqual({ status: 304, headers: { ...kept, etag }, body: '' });
    expect(notModified.headers, name).toMatchObject({
      'cache-control': 'public, no-cache',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(handled, name).toBe(index + 1);
  }
  const series = /^http_request_duration_seconds_count\{method="GET",route="\/book\/:id",status="200"\} 3$/m;
  expect((await send(paths.metrics)).body).toMatch(series);
});

test('a change of the book invalidates its response, in this process and in another', async () => {
  const cookie = await store.signIn();
  const expectStatus = async (...statuses: number[]) => {
    for (const status of statuses) expect((await send(bookPath)).status).toBe(status);
  };
  await expectStatus(200, 200);
  await store.call(paths.deleteBook(bookId), { method: 'DELETE', cookie });
  await expectStatus(404);
  await store.call(paths.restoreBook(bookId), { method: 'POST', cookie });
  await expectStatus(200, 200);

  const other = await store.openDatabaseAgain();
  await deleteBook(other.db, bookId, { customerId: 'c', email: 'admin@example.com', address: '::1' });
  await expect.poll(async () => (await send(bookPath)).status, { timeout: 1_000, interval: 5 }).toBe(404);
});

test('an address with a made-up query is not stored, so a client cannot fill the cache', async () => {
  for (const path of [
    ...[paths.books, paths.front, paths.sitemap, paths.feed, paths.openApi, paths.docs],
    ...[bookPath, paths.beside(bookId)],
  ]) {
    expect((await send(path)).status, path).toBe(200);
    handled = 0;

    for (const _ of [1, 2]) expect((await send(`${path}?made-up`)).status, path).toBe(200);

    expect(handled, path).toBe(2);
    await send(path);
    expect(handled, path).toBe(2);
  }
});

test('cross-origin requests, searches and unknown books are not answered with the cached response, nor HEAD and requests with a body', async () => {
  const { headers } = await send(paths.books);
  const cached = await send(bookPath);

  const crossOrigin = await send(paths.books, { origin: 'https://shop.example' });
  expect(crossOrigin.headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect((await send(`${paths.books}?q=nothing`)).body).toBe('[]');
  expect((await send(`${bookPath}x`)).status).toBe(404);
  for (const [method, body] of [
    ['HEAD', {}],
    ['GET', { 'content-length': '0' }],
    ['GET', { 'transfer-encoding': 'chunked' }],
  ] as const) {
    handled = 0;
    const response = await send(bookPath, { ...body }, method);
    const length = cached.headers['content-length'];
    expect([response.status, response.headers['content-length'], handled], method).toEqual([200, length, 1]);
  }
});

test('a request that names a foreign host or two does not get the cached response', async () => {
  for (const host of ['localhost', '127.0.0.1:3000', 'localhost']) {
    expect((await send(bookPath, { host })).status).toBe(200);
  }
  expect(handled).toBe(1);

  for (const [headers, status, code] of [
    [['Host', 'evil.example'], 421, 'MISDIRECTED_REQUEST'],
    [['Host', 'localhost', 'Host', 'evil.example'], 400, 'TWO_HOSTS'],
    [['Host', 'localhost', 'Host', 'localhost'], 400, 'TWO_HOSTS'],
  ] as const) {
    const response = await send(bookPath, headers);
    expect([response.status, JSON.parse(response.body).code], headers.join()).toEqual([status, code]);
  }
});
