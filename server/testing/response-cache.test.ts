import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook, removeBook } from '../catalogue/books.ts';
import { openTestStore, type TestStore } from './test-store.ts';

let store: TestStore;
let bookPath: string;
let handled: number;
const countHandled = () => {
  handled += 1;
};
beforeEach(async () => {
  handled = 0;
  subscribe('tracing:fastify.request.handler:start', countHandled);
  store = await openTestStore({ allowedOrigins: ['https://shop.example'] });
  const { db, catalogueVersion } = store.database;
  const { remoteChanges } = catalogueVersion;
  // PostgreSQL is listened to on a connection of its own, which may not be there yet, and tells of this book as well.
  await expect.poll(remoteChanges).not.toBeNaN();
  const before = remoteChanges();
  const book = { title: 'Emma', author: 'Jane Austen', image: '/images/emma', priceCents: 1299 };
  bookPath = paths.book((await addBook(db, book, null)).id);
  if (inject('postgresUrl') !== '') await expect.poll(remoteChanges).not.toBe(before);
});
afterEach(async () => {
  unsubscribe('tracing:fastify.request.handler:start', countHandled);
  await store.close();
});

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** A request of exactly these headers. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  agent: Agent | false = false,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(store.origin + path, { headers, method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _, ...kept } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: kept,
          body: Buffer.concat(chunks).toString('latin1'),
        });
      });
    });
    asked.on('error', reject).end();
  });

test.each([
  ['the first page', () => paths.books, {}],
  ['the first page in brotli', () => paths.books, { 'accept-encoding': 'gzip, deflate, br, zstd' }],
  ['the first page in gzip', () => paths.books, { 'accept-encoding': 'gzip' }],
  ['a book', () => bookPath, {}],
])('%s is sent again as it was, headers and all, without being made again', async (_, path, headers) => {
  const made = await ask(path(), headers);
  expect([made.status, handled]).toEqual([200, 1]);

  expect(await ask(path(), headers)).toEqual(made);
  expect(await ask(path(), { ...headers, cookie: 'colophon-session=somebody' })).toEqual(made);

  expect(handled).toBe(1);
});

test('each coding has its own answer', async () => {
  const codings = ['br', 'gzip', 'identity', 'br', 'gzip', 'identity'];

  const answers: Answer[] = [];
  for (const coding of codings) answers.push(await ask(paths.books, { 'accept-encoding': coding }));

  expect(answers.map(({ headers }) => headers['content-encoding'] ?? 'identity')).toEqual(codings);
  expect(handled).toBe(3);
});

test('what has changed is made again, whoever changed it', async () => {
  const cookie = await store.signIn();
  expect((await ask(bookPath)).status).toBe(200);
  expect((await ask(bookPath)).status).toBe(200);

  await store.call(bookPath.replace('/book/', '/deleteBook/'), { method: 'DELETE', cookie });
  expect((await ask(bookPath)).status).toBe(404);
  await store.call(bookPath.replace('/book/', '/restoreBook/'), { method: 'POST', cookie });
  expect((await ask(bookPath)).status).toBe(200);
  expect((await ask(bookPath)).status).toBe(200);

  const other = await store.openDatabaseAgain();
  await removeBook(other.db, bookPath.slice('/book/'.length), 'somebody');
  await other.close();
  await expect.poll(async () => (await ask(bookPath)).status, { timeout: 1_000, interval: 5 }).toBe(404);
});

test('a request that asks for more than the plain one gets what it asks for', async () => {
  const { headers } = await ask(paths.books);
  await ask(paths.books);

  expect((await ask(paths.books, { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
  const foreign = await ask(paths.books, { origin: 'https://shop.example' });
  expect(foreign.headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect((await ask(`${paths.books}?q=nothing`)).body).toBe('[]');
  expect((await ask(`${bookPath}x`)).status).toBe(404);
});

test.each([
  ['HEAD', {}],
  ['GET', { 'content-length': '0' }],
  ['GET', { 'transfer-encoding': 'chunked' }],
])('%s with %j is left to the framework', async (method, headers) => {
  const kept = await ask(bookPath);
  await ask(bookPath);
  expect(handled).toBe(1);

  const answer = await ask(bookPath, headers, method);

  expect([answer.status, answer.headers['content-length']]).toEqual([200, kept.headers['content-length']]);
  expect(handled).toBe(2);
});

test('a store that stops says so on a connection that is still open', async () => {
  await ask(bookPath);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(bookPath, {}, 'GET', agent)).headers.connection).toBe('keep-alive');

  const stopping = store.app.close();
  const answer = await ask(bookPath, {}, 'GET', agent).catch(() => undefined);
  await stopping;

  expect(answer?.headers.connection ?? 'close').toBe('close');
  agent.destroy();
});

test('answers that were kept are counted like the others', async () => {
  for (let index = 0; index < 5; index += 1) await ask(bookPath);

  const { body } = await ask('/metrics');
  expect(body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/book/:id",status="200"} 5',
  );
});
