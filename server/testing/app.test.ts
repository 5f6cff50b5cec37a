import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, readJson, type TestStore, testPage } from './test-store.ts';

let store: TestStore;
let cookie: string;
beforeAll(async () => {
  store = await openTestStore();
  cookie = await store.signIn();
});
afterAll(() => store.close());

const book = {
  title: 'Emma',
  author: 'Jane Austen',
  image: 'https://x.example/e.jpg',
  price: { value: '1' },
};
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
  ])('of type %j is validated like any other', async (contentType) => {
    expect((await send(JSON.stringify(book), contentType)).statusCode).toBe(201);
    expect((await send(JSON.stringify({ ...book, title: '' }), contentType)).json()).toMatchObject({
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
  ])('of type %j is not read', async (contentType) => {
    const answer = await send(JSON.stringify(book), contentType);

    expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each([
    ['{', 400, 'MALFORMED_BODY'],
    ['{"__proto__": {"isAdmin": true}}', 400, 'MALFORMED_BODY'],
    ['', 400, 'VALIDATION_FAILED'],
    ['null', 400, 'VALIDATION_FAILED'],
    ['[]', 400, 'VALIDATION_FAILED'],
    [`"${'a'.repeat(70_000)}"`, 413, 'BODY_TOO_LARGE'],
  ])('that reads %.30j is refused', async (payload, status, code) => {
    const answer = await send(payload, 'application/json');

    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });
});

describe('a problem', () => {
  test('has the members of RFC 9457 and a stable code, and is kept by no cache', async () => {
    const answer = await store.call('/book/nobody');

    expect(await readJson(answer, 404)).toEqual({
      type: 'urn:colophon:problem:book-not-found',
      title: 'There is no such book.',
      status: 404,
      code: 'BOOK_NOT_FOUND',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['/%', 400],
    ['/book/%E0%A4%A', 400],
    ['/nowhere', 404],
    ['/assets/home-gone.js', 404],
  ])('answers %s with %d to who wants no page', async (address, status) => {
    const answer = await store.call(address);

    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.status).toBe(status);
  });

  test.each([
    ['PUT', '/books', 'GET, HEAD'],
    ['POST', '/book/some-id?again=1', 'GET, HEAD'],
    ['GET', '/addBook', 'POST'],
    ['DELETE', '/restoreBook/a%2Fb', 'POST'],
    ['OPTIONS', '/deleteBook/some-id', 'DELETE'],
    ['POST', '/', 'GET, HEAD'],
    ['PATCH', '/assets/home-abc123.js', 'GET, HEAD'],
  ])(
    'answers %s %s with 405, and with the methods that the address knows',
    async (method, address, known) => {
      const answer = await store.call(address, { method });

      expect(await readJson(answer, 405)).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
      expect(answer.headers.get('allow')?.split(', ').toSorted().join(', ')).toBe(known);
    },
  );

  test('of the method is the not-found screen to a person', async () => {
    const answer = await store.call('/addBook', { headers: { accept: 'text/html' } });

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('of the store’s own says nothing of its inside', async () => {
    const broken = await openTestStore();
    await broken.database.db.schema.dropTable('sessions').execute();

    const answer = await broken.call('/auth/session', { cookie: 'colophon-session=x' });

    expect(await readJson(answer, 500)).toEqual({
      type: 'urn:colophon:problem:internal',
      title: 'Something went wrong in the store.',
      status: 500,
      code: 'INTERNAL',
    });
    await broken.close();
  });
});

describe('a page', () => {
  test.each(['/', '/home', '/login', '/checkout/anything', '/orders', '/admin'])(
    '%s is the app, with its policy, never kept unasked',
    async (address) => {
      const answer = await store.call(address, { headers: { accept: 'text/html' } });

      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('"name":"Colophon","providerName":"Example"');
      const { headers } = answer;
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  test('that does not exist is the app’s not-found screen with status 404', async () => {
    const answer = await store.call('/nowhere', { headers: { accept: 'text/html,*/*' } });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('is answered 304 to who has it', async () => {
    const etag = (await store.call('/')).headers.get('etag') ?? '';

    expect((await store.call('/orders', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('cannot be broken out of by the store’s name', async () => {
    const odd = await openTestStore({ storeName: '</script><script>alert(1)</script> & $& Söhne' });

    const html = await (await odd.call('/')).text();

    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&amp; $&amp; Söhne</title>');
    await odd.close();
  });
});

test('pages that are built again while the store is being worked on are served without a new start', async () => {
  const worked = await openTestStore({ isDeveloping: true });
  await writeFile(join(worked.pagesFolder, 'index.html'), testPage.replace('root', 'rebuilt'));
  await writeFile(join(worked.pagesFolder, 'assets', 'home-def456.js'), 'export {};');

  expect(await (await worked.call('/')).text()).toContain('id="rebuilt"');
  expect((await worked.call('/assets/home-def456.js')).status).toBe(200);
  expect((await worked.call('/assets/home-gone.js')).status).toBe(404);
  expect((await worked.call('/books', { method: 'PUT' })).status).toBe(405);
  await worked.close();
});

test('a built file is kept for good; one of another build is a 404 that is not kept, also as a page', async () => {
  const file = await store.call('/assets/home-abc123.js');
  const gone = await store.call('/assets/home-gone.js', { headers: { accept: 'text/html' } });

  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(gone.headers.get('content-type')).toContain('application/problem+json');
});

describe('operations', () => {
  test('tell that the process answers and that the database does', async () => {
    expect(await readJson(await store.call('/healthz'))).toEqual({ status: 'ok' });
    expect(await readJson(await store.call('/readyz'))).toEqual({ status: 'ready' });
  });

  test('count requests by route, whatever addresses are made up', async () => {
    await store.call('/book/made-up-address');

    const text = await (await store.call('/metrics')).text();

    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/book/:id",status="404"}',
    );
    expect(text).not.toContain('made-up-address');
  });
});

test.each(['/book/%00', '/book/a%00b'])('a NUL in an address (%s) is the caller’s fault', async (url) => {
  const answer = await store.app.inject({ method: 'GET', url });

  expect([answer.statusCode, answer.json().code]).toEqual([400, 'MALFORMED_REQUEST']);
});

test.each(['a\u0000', '\ud800'])(
  'an order of a title that no database can hold (%j) is refused by itself',
  async (title) => {
    const order = { title, author: 'Jane Austen', price: 1, time: new Date().toDateString() };
    const answers = await Promise.all(
      [order, { ...order, title: 'Nothing of this name' }].map((payload) =>
        store.app.inject({ method: 'POST', url: '/addOrder', payload, headers: { cookie } }),
      ),
    );

    expect(answers.map((answer) => answer.json().code)).toEqual(['MALFORMED_REQUEST', 'BOOK_GONE']);
  },
);
