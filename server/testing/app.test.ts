import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  emmaSent,
  hasStack,
  openTestStore,
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

const faultsIn = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a request failed');

describe('a body', () => {
  const send = (payload: string, contentType = 'application/json') =>
    store.app.inject({
      method: 'POST',
      url: '/addBook',
      payload,
      headers: { cookie, 'content-type': contentType },
    });

  test('of JSON is validated, however its type is written; of another type than JSON is rejected with 415', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/json\t;',
      ' application/JSON',
    ]) {
      expect((await send(JSON.stringify(emmaSent), type)).statusCode, type).toBe(201);
      expect((await send(JSON.stringify({ ...emmaSent, title: '' }), type)).json(), type).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'title' }],
      });
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'text/json',
      'nonsense',
    ]) {
      const response = await send(JSON.stringify(emmaSent), type);
      expect([response.statusCode, response.json().code], type).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  test('that is no JSON object, or is too large, is rejected', async () => {
    const statuses: Record<string, [number, string]> = {
      '{': [400, 'MALFORMED_BODY'],
      '{"__proto__": {"isAdmin": true}}': [400, 'MALFORMED_BODY'],
      '': [400, 'VALIDATION_FAILED'],
      null: [400, 'VALIDATION_FAILED'],
      '[]': [400, 'VALIDATION_FAILED'],
      [`"${'a'.repeat(70_000)}"`]: [413, 'BODY_TOO_LARGE'],
    };
    for (const [payload, expected] of Object.entries(statuses)) {
      const response = await send(payload);

      expect([response.statusCode, response.json().code], payload.slice(0, 40)).toEqual(expected);
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    }
  });

  test('whose client goes away in the middle is not logged as a fault of the store', async () => {
    const client = connect({ port: Number(new URL(store.origin).port), host: '127.0.0.1' });
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
});

test('the limit of a list is a whole number in plain digits, from 1 to 200', async () => {
  const wrong = [
    ...[
      'limit=Infinity',
      'limit=-Infinity',
      'limit=1e999',
      'limit=NaN',
      'limit=0x10',
      'limit=1e1',
      'limit=%205',
    ],
    ...[
      'limit=+5',
      'limit=%2B5',
      'limit=5.0',
      'limit=-5',
      'limit=',
      'limit',
      'limit=5&limit=6',
      'limit=%D9%A5',
    ],
    ...['limit=201', `limit=${'9'.repeat(400)}`],
  ];
  for (const path of ['/books', `/allOrder/${reader.email}`]) {
    for (const query of wrong) {
      const response = await store.call(`${path}?${query}`, { cookie });
      expect(await readJson(response, 400), query).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'limit' }],
      });
    }
    for (const query of ['limit=5', 'limit=005', 'limit=200']) {
      expect((await store.call(`${path}?${query}`, { cookie })).status, query).toBe(200);
    }
  }
  expect(log.filter(hasStack)).toEqual([]);
});

test('a control character in an address is a 400 that names the field', async () => {
  for (const [url, field] of [
    ['/book/%00', 'id'],
    ['/book/a%7F', 'id'],
    ['/images/%0A', 'file'],
  ] as const) {
    const response = await store.app.inject({ method: 'GET', url });
    expect([response.statusCode, response.json().errors], url).toMatchObject([400, [{ field }]]);
  }
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

  test('is JSON unless the client accepts a page', async () => {
    for (const [address, status] of [
      ['/%', 400],
      ['/book/%E0%A4%A', 400],
      ['/nowhere', 404],
      ['/assets/home-gone.js', 404],
    ] as const) {
      const response = await store.call(address);
      expect([response.status, response.headers.get('cache-control')], address).toEqual([status, 'no-store']);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    }
    for (const [address, status] of [
      ['/nowhere', 404],
      ['/addBook', 405],
    ] as const) {
      const page = await store.call(address, { headers: { accept: 'text/html,*/*' } });
      expect([page.status, page.headers.get('content-type')], address).toEqual([
        status,
        'text/html; charset=utf-8',
      ]);
    }
  });

  test('of a method that an address does not have is a 405 whose Allow lists those that it has', async () => {
    const allowed: Record<string, string> = {
      'PUT /books': 'GET, HEAD',
      'POST /book/some-id?again=1': 'GET, HEAD, PATCH',
      'GET /addBook': 'POST',
      'DELETE /restoreBook/a%2Fb': 'POST',
      'OPTIONS /deleteBook/some-id': 'DELETE',
      'POST /': 'GET, HEAD',
      'PATCH /assets/home-abc123.js': 'GET, HEAD',
    };
    for (const [call, methods] of Object.entries(allowed)) {
      const [method = '', address = ''] = call.split(' ');
      const response = await store.call(address, { method });
      expect(await readJson(response, 405), call).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
      expect(response.headers.get('allow')?.split(', ').toSorted().join(', '), call).toBe(methods);
    }
  });

  test('inside the store is a 500 that reveals no details, and is logged with its cause', async () => {
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
    expect(faultsIn()).toMatchObject([{ level: 50, err: { message: expect.stringContaining('sessions') } }]);
  });
});

describe('a page', () => {
  test('contains the store’s name escaped, in HTML and in JSON', async () => {
    const oddStore = await openTestStore({ storeName: '</script><script>alert(1)</script> & $& Söhne' });

    const html = await (await oddStore.call('/')).text();

    expect(html).not.toContain('<script>alert');
    expect(html).toContain(
      'content="&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; Söhne"',
    );
  });

  test('has built files that are cacheable for a year, and none of another build', async () => {
    const file = await store.call('/assets/home-abc123.js');
    const missing = await store.call('/assets/home-gone.js', { headers: { accept: 'text/html' } });

    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(missing.headers.get('content-type')).toContain('application/problem+json');
  });

  test('is rebuilt during development without a restart, and each method has its status', async () => {
    const developing = await openTestStore({ isDeveloping: true });
    await writeFile(join(developing.pagesFolder, 'index.html'), testPage.replace('root', 'rebuilt'));
    await writeFile(join(developing.pagesFolder, 'assets', 'home-def456.js'), 'export {};');
    const statusOf = async (path: string, method = 'GET') => (await developing.call(path, { method })).status;

    expect(await (await developing.call('/')).text()).toContain('id="rebuilt"');
    const paths = ['/assets/home-def456.js', '/assets/home-gone.js'];
    expect(await Promise.all(paths.map((path) => statusOf(path)))).toEqual([200, 404]);
    expect([await statusOf('/nowhere', 'DELETE'), await statusOf('/books', 'PUT')]).toEqual([404, 405]);
  });
});

test('the server waits a minute for headers, two for a request, and 72 seconds for the next request', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = store.app.server;

  expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([60_000, 120_000, 72_000]);
});

test('operations report that the process is alive and ready, and count requests by route, not by address', async () => {
  expect(await readJson(await store.call('/healthz'))).toEqual({ status: 'ok' });
  expect(await readJson(await store.call('/readyz'))).toEqual({ status: 'ready' });
  await store.call('/book/made-up-address');

  const text = await (await store.call('/metrics')).text();

  const series = 'http_request_duration_seconds_count{method="GET",route="/book/:id",status="404"}';
  expect(text).toContain(series);
  expect(text).not.toContain('made-up-address');
});

test('a logged request has when, what, from which address and by which customer, and no e-mail', async () => {
  await store.call('/allOrder/other%40example.com?email=other@example.com', { cookie });
  await expect.poll(() => log.join()).toContain('"route":"/allOrder/:email"');
  const { id } = await store.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();

  expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
    time: expect.any(Number),
    method: 'GET',
    route: '/allOrder/:email',
    status: 403,
    ip: '127.0.0.1',
    customer: id,
  });
  expect(log.join()).not.toMatch(/(reader|other)(@|%40)/);
});
