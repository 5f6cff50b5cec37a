import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addBook } from '../catalogue/books.ts';
import {
  emma,
  emmaSent,
  hasStack,
  openTestStore,
  orderOf,
  reader,
  readJson,
  shareTestStore,
  testPage,
} from './test-store.ts';

const log: string[] = [];
const store = shareTestStore({ onLog: (line) => log.push(line) });
let cookie: string;
beforeAll(async () => {
  cookie = await store.signIn();
});
beforeEach(() => void log.splice(0));

describe('a body', () => {
  const send = (payload: string, contentType = 'application/json') =>
    store.app.inject({
      method: 'POST',
      url: '/addBook',
      payload,
      headers: { cookie, 'content-type': contentType },
    });

  test('of JSON is validated, however its type is written; of another type than JSON is rejected with 415', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/json\t;', ' application/JSON']) {
      expect((await send(JSON.stringify(emmaSent), type)).statusCode, type).toBe(201);
      const { errors } = (await send(JSON.stringify({ ...emmaSent, title: '' }), type)).json();
      expect(errors, type).toMatchObject([{ field: 'title' }]);
    }
    const form = 'application/x-www-form-urlencoded';
    for (const type of ['text/plain', form, 'application/jsonx', 'text/json', 'nonsense']) {
      const response = await send(JSON.stringify(emmaSent), type);
      expect([response.statusCode, response.json().code], type).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  test('that is no JSON object, or is too large, is rejected', async () => {
    const refusals: [payload: string, status: number, code: string][] = [
      ['{', 400, 'MALFORMED_BODY'],
      ['{"__proto__": {"isAdmin": true}}', 400, 'MALFORMED_BODY'],
      ...['', 'null', '[]'].map((payload): [string, number, string] => [payload, 400, 'VALIDATION_FAILED']),
      [`"${'a'.repeat(70_000)}"`, 413, 'BODY_TOO_LARGE'],
    ];
    for (const [payload, ...refusal] of refusals) {
      const response = await send(payload);

      expect([response.statusCode, response.json().code], payload.slice(0, 40)).toEqual(refusal);
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    }
  });

  test('whose client goes away in the middle is not logged as a fault of the store', async () => {
    const client = connect({ port: Number(new URL(store.origin).port), host: '127.0.0.1' });
    const [connection] = await once(store.app.server, 'connection');
    const headers = `Host: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
    client.write(`POST /addOrder HTTP/1.1\r\n${headers}Expect: 100-continue\r\n\r\n`);
    // The store has accepted the request, and waits for its body.
    await once(client, 'data');
    client.write('{');
    client.destroy();
    await once(connection, 'close');
    await nextTurn();

    expect(log).toEqual([]);
  });
});

test('the limit of a list is a whole number in plain digits, from 1 to 200', async () => {
  const values = [
    'Infinity',
    '1e999',
    'NaN',
    '0x10',
    '1e1',
    '%205',
    '+5',
    '%2B5',
    '5.0',
    '-5',
    '',
    '5&limit=6',
  ];
  for (const path of ['/books', `/allOrder/${reader.email}`]) {
    for (const value of [...values, '%D9%A5', '0', '201', '9'.repeat(400)]) {
      const response = await store.call(`${path}?limit=${value}`, { cookie });
      expect(await readJson(response, 400), value).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'limit' }],
      });
    }
    for (const value of ['5', '005', '200']) {
      expect((await store.call(`${path}?limit=${value}`, { cookie })).status, value).toBe(200);
    }
  }
  expect(log.filter(hasStack)).toEqual([]);
});

describe('a problem', () => {
  test('has the members of RFC 9457 and a stable code, and is not cacheable', async () => {
    const response = await store.call('/book/unknown');

    expect(await readJson(response, 404)).toEqual({
      type: 'urn:colophon:problem:book-not-found',
      title: 'There is no such book.',
      status: 404,
      code: 'BOOK_NOT_FOUND',
      requestId: response.headers.get('x-request-id'),
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('of a method that an address does not have is a 405 whose Allow lists those that it has; a client that accepts a page gets one', async () => {
    const allowed: Record<string, string> = {
      'PUT /books': 'GET, HEAD',
      'POST /book/some-id?again=1': 'GET, HEAD, PATCH',
      'GET /addBook': 'POST',
      'DELETE /restoreBook/a%2Fb': 'POST',
      'OPTIONS /deleteBook/some-id': 'DELETE',
      'PATCH /assets/home-abc123.js': 'GET, HEAD',
    };
    for (const [call, methods] of Object.entries(allowed)) {
      const [method = '', address = ''] = call.split(' ');
      const response = await store.call(address, { method });
      expect(await readJson(response, 405), call).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
      expect(response.headers.get('allow')?.split(', ').toSorted().join(', '), call).toBe(methods);
    }
    for (const [address, status] of Object.entries({ '/nowhere': 404, '/addBook': 405 })) {
      const page = await store.call(address, { headers: { accept: 'text/html,*/*' } });
      expect(page.status, address).toBe(status);
      expect(page.headers.get('content-type'), address).toBe('text/html; charset=utf-8');
    }
  });

  test('inside the store is a 500 that reveals no details, and is logged with its cause', async () => {
    const faults = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a request failed');
    const broken = await openTestStore({ onLog: (line) => log.push(line) });
    await broken.database.db.schema.dropTable('sessions').execute();

    const response = await broken.call('/auth/session', { cookie: 'colophon-session=x' });

    expect(await readJson(response, 500)).toEqual({
      type: 'urn:colophon:problem:internal',
      requestId: expect.any(String),
      title: 'Something went wrong in the store.',
      status: 500,
      code: 'INTERNAL',
    });
    expect(faults()).toMatchObject([{ level: 50, err: { message: expect.stringContaining('sessions') } }]);
  });
});

test('a page contains the store’s name escaped, in HTML and in JSON; during development it is rebuilt without a restart', async () => {
  const storeName = '</script><script>alert(1)</script> & $& Söhne';
  const developing = await openTestStore({ storeName, isDeveloping: true });

  const html = await (await developing.call('/')).text();
  await writeFile(
    join(developing.pagesFolder, 'index.html'),
    testPage.replace('<noscript>', '<p id="rebuilt"></p><noscript>'),
  );
  await writeFile(join(developing.pagesFolder, 'assets', 'home-def456.js'), 'export {};');

  expect(html).not.toContain('<script>alert');
  expect(html).toContain('content="&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; Söhne"');
  expect(await (await developing.call('/')).text()).toContain('id="rebuilt"');
  const { status, headers } = await developing.call('/assets/home-def456.js');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
});

test('metrics count requests by route, not by address', async () => {
  await store.call('/book/made-up-address');

  const text = await (await store.call('/metrics')).text();

  const series = 'http_request_duration_seconds_count{method="GET",route="/book/:id",status="404"}';
  expect(text).toContain(series);
  expect(text).not.toContain('made-up-address');
});

test('a logged request has when, what, from which address and by which customer, and no e-mail', async () => {
  // The log has at most ten refusals of customers a second, and other tests of the same store may have used them up.
  const lines: string[] = [];
  const own = await openTestStore({ onLog: (line) => lines.push(line) });
  const cookie = await own.signIn();
  lines.splice(0);
  await addBook(own.database.db, emma, null);
  await own.call('/allOrder/other%40example.com?email=other@example.com', { cookie });
  const bought = await own.call('/addOrder', { json: orderOf(emma), cookie });
  const { _id: order } = await readJson<{ _id: string }>(bought, 201);
  await expect.poll(() => lines.join()).toContain(order);
  const { id } = await own.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();

  const common = { time: expect.any(Number), ip: '127.0.0.1', customer: id };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...common, method: 'GET', route: '/allOrder/:email', status: 403 },
    { ...common, method: 'POST', route: '/addOrder', status: 201, order },
  ]);
  expect(lines.join()).not.toMatch(/(reader|other)(@|%40)/);
});
