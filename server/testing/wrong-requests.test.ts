import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallInit, openTestStore, reader, readJson, type TestStore } from './test-store.ts';

let store: TestStore;
let cookie: string;
const log: string[] = [];
beforeAll(async () => {
  store = await openTestStore({ onLog: (line) => log.push(line) });
  cookie = await store.signIn();
});
afterAll(() => store.close());
beforeEach(() => {
  log.length = 0;
});

describe.each(['/books', `/allOrder/${reader.email}`])('the limit of %s', (path) => {
  test.each([
    'limit=Infinity',
    'limit=-Infinity',
    'limit=1e999',
    'limit=NaN',
    'limit=0x10',
    'limit=1e1',
    'limit=%205',
    'limit=+5',
    'limit=%2B5',
    'limit=5.0',
    'limit=-5',
    'limit=',
    'limit',
    'limit=5&limit=6',
    'limit=%D9%A5',
    `limit=${'9'.repeat(400)}`,
  ])('cannot be %s', async (query) => {
    const response = await store.call(`${path}?${query}`, { cookie });

    expect(await readJson(response, 400)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'limit' }],
    });
    expect(log.filter(hasStack)).toEqual([]);
  });

  test.each(['limit=5', 'limit=005', 'limit=200'])('can be %s', async (query) => {
    expect((await store.call(`${path}?${query}`, { cookie })).status).toBe(200);
  });
});

const hasStack = (line: string): boolean => 'err' in JSON.parse(line) || /\n\s+at |\\n\s+at /.test(line);

const wrongRequests: readonly [string, CallInit?][] = [
  ['/books?sort=best-selling'],
  ['/books?sort=newest&sort=title'],
  [`/books?q=${'a'.repeat(201)}`],
  ['/books?q=a&q=b'],
  ['/books?q=%00'],
  ['/books?cursor=nothing'],
  ['/books?cursor=%00'],
  ['/books?cursor='],
  ['/books?__proto__=1&constructor=2&limit=0'],
  ['/book/%ED%A0%80'],
  ['/book/%00'],
  [`/book/${'a'.repeat(65)}`],
  ['/book/'],
  ['/%'],
  ['//'],
  ['/images/..%2f..%2fetc%2fpasswd'],
  ['/images/a-1e3.webp'],
  ['/images/%00.webp'],
  [`/allOrder/${reader.email}?cursor=%00`],
  [`/allOrder/${reader.email}?cursor=${'a'.repeat(201)}`],
  ['/allOrder/%00'],
  ['/allOrder/another@example.com'],
  ['/allOrder/%E0%A4%A'],
  ['/deleteBook/%00', { method: 'DELETE' }],
  ['/deleteBook/unknown', { method: 'DELETE' }],
  ['/deleteBook/unknown', { method: 'DELETE', body: '{', headers: { 'content-type': 'application/json' } }],
  ['/restoreBook/%00', { method: 'POST' }],
  ['/restoreBook/unknown', { method: 'POST' }],
  ['/addBook', { json: null }],
  ['/addBook', { json: [] }],
  ['/addBook', { json: { title: 1, author: {}, image: null, price: 'free' } }],
  [
    '/addBook',
    { json: { title: '\u0000', author: 'a', image: 'https://x.example/a.jpg', price: { value: 1 } } },
  ],
  ['/addBook', { json: { title: 'a', author: 'a', image: 'javascript:1', price: { value: 1 } } }],
  ['/addBook', { json: { title: 'a', author: 'a', image: 'https://x.example', price: { value: '1e999' } } }],
  ['/addBook', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
  ['/addBook', { method: 'POST', body: '1e999', headers: { 'content-type': 'application/json' } }],
  ['/addBook', { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/plain' } }],
  ['/addOrder', { json: {} }],
  ['/addOrder', { json: { title: '\u0000', author: 'a', price: 1, time: new Date().toDateString() } }],
  ['/addOrder', { json: { title: '\ud800', author: 'a', price: 1, time: new Date().toDateString() } }],
  ['/addOrder', { json: { title: 'a', author: 'a', price: 1e300, time: 'never' } }],
  [
    '/addOrder',
    { json: { title: 'a', author: 'a', price: 1, time: 'a' }, headers: { 'idempotency-key': 'ä' } },
  ],
  ['/1/upload', { method: 'POST' }],
  ['/1/upload', { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
  [
    '/1/upload',
    { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  ],
  [
    '/1/upload',
    { method: 'POST', body: '--b\r\n', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  ],
  ['/1/upload', { method: 'POST', body: imageForm('not an image') }],
  ['/auth/sign-in?attempt=short'],
  ['/auth/callback?state=a&state=b'],
  ['/auth/callback?error=access_denied'],
  ['/auth/callback?state=unknown&code=x'],
  ['/auth/sign-out', { method: 'POST', headers: { origin: 'https://evil.example' } }],
  ['/nowhere', { method: 'PROPFIND' }],
  ['/books', { method: 'PUT' }],
];

function imageForm(content: string): FormData {
  const form = new FormData();
  form.set('image', new File([content], 'cover.png'));
  return form;
}

test.each(wrongRequests)('%s with %j is no fault of the store, and logs no stack', async (path, init) => {
  const response = await store.call(path, { cookie, ...init });

  expect(response.status).toBeLessThan(500);
  expect(log.filter(hasStack)).toEqual([]);
});

test('a client that goes away in the middle of its body is not logged as a fault of the store', async () => {
  const { port } = new URL(store.origin);
  const client = connect({ port: Number(port), host: '127.0.0.1' });
  const [connection] = await once(store.app.server, 'connection');
  const headers = `Host: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
  client.write(`POST /addOrder HTTP/1.1\r\n${headers}Expect: 100-continue\r\n\r\n`);
  // The store has let the request pass, and waits for its body.
  await once(client, 'data');
  client.write('{');
  client.destroy();
  await once(connection, 'close');
  await nextTurn();

  expect(log).toEqual([]);
});
