import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { emmaSent, openTestStore, readJson, shareTestStore, testPage } from './test-store.ts';

const store = shareTestStore();
let cookie: string;
beforeAll(async () => {
  cookie = await store.signIn();
});

const send = (payload: string, contentType: string) =>
  store.app.inject({
    method: 'POST',
    url: '/addBook',
    payload,
    headers: { cookie, 'content-type': contentType },
  });

describe('a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json\t;',
    ' application/JSON',
  ])('of type %j is validated', async (contentType) => {
    expect((await send(JSON.stringify(emmaSent), contentType)).statusCode).toBe(201);
    expect((await send(JSON.stringify({ ...emmaSent, title: '' }), contentType)).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'title' }],
    });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'text/json',
    'nonsense',
  ])('of type %j is rejected with 415', async (contentType) => {
    const response = await send(JSON.stringify(emmaSent), contentType);

    expect([response.statusCode, response.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each([
    ['{', 400, 'MALFORMED_BODY'],
    ['{"__proto__": {"isAdmin": true}}', 400, 'MALFORMED_BODY'],
    ['', 400, 'VALIDATION_FAILED'],
    ['null', 400, 'VALIDATION_FAILED'],
    ['[]', 400, 'VALIDATION_FAILED'],
    [`"${'a'.repeat(70_000)}"`, 413, 'BODY_TOO_LARGE'],
  ])('of the text %.30j is rejected', async (payload, status, code) => {
    const response = await send(payload, 'application/json');

    expect([response.statusCode, response.json().code]).toEqual([status, code]);
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });
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

  test.each([
    ['/%', 400],
    ['/book/%E0%A4%A', 400],
    ['/nowhere', 404],
    ['/assets/home-gone.js', 404],
  ])('is JSON for %s (status %d) unless the client accepts a page', async (address, status) => {
    const response = await store.call(address);

    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.status).toBe(status);
  });

  test.each([
    ['PUT', '/books', 'GET, HEAD'],
    ['POST', '/book/some-id?again=1', 'GET, HEAD, PATCH'],
    ['GET', '/addBook', 'POST'],
    ['DELETE', '/restoreBook/a%2Fb', 'POST'],
    ['OPTIONS', '/deleteBook/some-id', 'DELETE'],
    ['POST', '/', 'GET, HEAD'],
    ['PATCH', '/assets/home-abc123.js', 'GET, HEAD'],
  ])(
    'of %s %s has status 405 and lists the methods of that address in Allow',
    async (method, address, allowed) => {
      const response = await store.call(address, { method });

      expect(await readJson(response, 405)).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
      expect(response.headers.get('allow')?.split(', ').toSorted().join(', ')).toBe(allowed);
    },
  );

  test('of the method is the not-found screen for a client that accepts HTML', async () => {
    const response = await store.call('/addBook', { headers: { accept: 'text/html' } });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('inside the store is a 500 that reveals no details, and is logged with its cause', async () => {
    const logged: string[] = [];
    const broken = await openTestStore({ onLog: (line) => logged.push(line) });
    await broken.database.db.schema.dropTable('sessions').execute();

    const response = await broken.call('/auth/session', { cookie: 'colophon-session=x' });

    expect(await readJson(response, 500)).toEqual({
      type: 'urn:colophon:problem:internal',
      requestId: expect.any(String),
      title: 'Something went wrong in the store.',
      status: 500,
      code: 'INTERNAL',
    });
    const faults = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a request failed');
    expect(faults).toMatchObject([{ level: 50, err: { message: expect.stringContaining('sessions') } }]);
  });
});

describe('a page', () => {
  test('that does not exist is the app’s not-found screen with status 404', async () => {
    const response = await store.call('/nowhere', { headers: { accept: 'text/html,*/*' } });

    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  test('contains the store’s name escaped, in HTML and in JSON', async () => {
    const oddStore = await openTestStore({ storeName: '</script><script>alert(1)</script> & $& Söhne' });

    const html = await (await oddStore.call('/')).text();

    expect(html).not.toContain('<script>alert');
    expect(html).toContain(
      'content="&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; Söhne"',
    );
  });
});

test('the server waits a minute for headers, two for a request, and 72 seconds for the next request', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = store.app.server;

  expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([60_000, 120_000, 72_000]);
});

test('during development rebuilt pages are served without a restart, and each method has its status', async () => {
  const developing = await openTestStore({ isDeveloping: true });
  await writeFile(join(developing.pagesFolder, 'index.html'), testPage.replace('root', 'rebuilt'));
  await writeFile(join(developing.pagesFolder, 'assets', 'home-def456.js'), 'export {};');

  expect(await (await developing.call('/')).text()).toContain('id="rebuilt"');
  const statusOf = async (path: string, method = 'GET') => (await developing.call(path, { method })).status;
  expect(await statusOf('/assets/home-def456.js')).toBe(200);
  expect(await statusOf('/assets/home-gone.js')).toBe(404);
  expect(await statusOf('/nowhere', 'DELETE')).toBe(404);
  expect(await statusOf('/books', 'PUT')).toBe(405);
});

test('a built file is cacheable for a year; a file of another build is a 404 that is not cacheable', async () => {
  const file = await store.call('/assets/home-abc123.js');
  const missing = await store.call('/assets/home-gone.js', { headers: { accept: 'text/html' } });

  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(missing.headers.get('content-type')).toContain('application/problem+json');
});

describe('operations', () => {
  test('report that the process is alive and that the database responds', async () => {
    expect(await readJson(await store.call('/healthz'))).toEqual({ status: 'ok' });
    expect(await readJson(await store.call('/readyz'))).toEqual({ status: 'ready' });
  });

  test('count requests by route, not by address', async () => {
    await store.call('/book/made-up-address');

    const text = await (await store.call('/metrics')).text();

    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/book/:id",status="404"}',
    );
    expect(text).not.toContain('made-up-address');
  });
});

test('a logged request has when, what, from which address and by which customer, and no e-mail', async () => {
  const logged: string[] = [];
  const watched = await openTestStore({ onLog: (line) => logged.push(line) });
  const customer = await watched.signIn();

  await watched.call('/allOrder/other%40example.com?email=other@example.com', { cookie: customer });
  await expect.poll(() => logged.join()).toContain('"route":"/allOrder/:email"');
  const { id } = await watched.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();

  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({
    time: expect.any(Number),
    method: 'GET',
    route: '/allOrder/:email',
    status: 403,
    ip: '127.0.0.1',
    customer: id,
  });
  expect(logged.join()).not.toMatch(/(reader|other)(@|%40)/);
});

test.each([
  ['/book/%00', 'id'],
  ['/book/a%7F', 'id'],
  ['/images/%0A', 'file'],
])('a control character in an address (%s) is a 400 that names %s', async (url, field) => {
  const response = await store.app.inject({ method: 'GET', url });

  expect([response.statusCode, response.json().errors]).toMatchObject([400, [{ field }]]);
});
