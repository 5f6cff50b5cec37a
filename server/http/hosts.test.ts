import { describe, expect, test } from 'vitest';
import { exchange } from '../testing/exchange.ts';
import { bytesOfObjects } from '../testing/old-objects.ts';
import { openTestStore, shareTestStore } from '../testing/test-store.ts';
import { openHosts } from './hosts.ts';

const store = shareTestStore();

const requestOf = (target: string, ...hosts: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`;
const statusOf = (response: string): number => Number(response.split(' ', 2)[1]);

describe('a page that is opened', () => {
  /** As a browser opens it. */
  const open = (target: string, host: string, { origin } = store) =>
    exchange(
      origin,
      requestOf(target, host).replace(/^Connection/m, 'Sec-Fetch-Dest: document\r\nConnection'),
    );

  test.each(['127.0.0.1:3000', '[::1]:3000', '127.0.0.2:3000'])(
    'under %s leads to the public URL, where the visitor can sign in',
    async (host) => {
      const response = await open('/checkout/1?a=b', host);

      expect(statusOf(response)).toBe(302);
      expect(response).toMatch(/^location: http:\/\/localhost:3000\/checkout\/1\?a=b\r$/m);
      expect(response).toMatch(/^cache-control: no-store\r$/m);
    },
  );

  test.each(['localhost:3000', 'LocalHost:3000', '127.0.0.1:3001', '127.0.0.1'])(
    'at the public URL, or at another port (%s), is shown',
    async (host) => {
      expect(statusOf(await open('/orders', host))).toBe(200);
    },
  );

  test('under another loopback name is shown where the store has a public host', async () => {
    const shop = await openTestStore({ settings: { publicUrl: new URL('http://books.example:3000') } });

    expect(statusOf(await open('/', '127.0.0.1:3000', shop))).toBe(200);
  });

  test('under a name that is not loopback is shown, where the store listens on every address', async () => {
    const shop = await openTestStore({ settings: { host: '0.0.0.0' } });

    expect(statusOf(await open('/', 'books.example:3000', shop))).toBe(200);
  });
});

test.each([
  ['a program gets the page', '/'],
  ['a call of the API is served', '/auth/session'],
])('%s under every loopback name', async (_, target) => {
  expect(statusOf(await exchange(store.origin, requestOf(target, '127.0.0.1:3000')))).toBe(200);
});

describe('a store that listens on loopback', () => {
  const shop = shareTestStore({ settings: { publicUrl: new URL('https://books.example') } });

  test.each([
    ...['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.2:80', '[::1]', '[::1]:3000'],
    ...['books.example', 'Books.Example', 'books.example:443'],
  ])('responds under the name %s', async (host) => {
    for (const target of ['/', '/books', '/books', '/auth/session']) {
      expect(statusOf(await exchange(shop.origin, requestOf(target, host))), target).toBe(200);
    }
  });

  test.each([
    ...['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0'],
    ...['books.example.evil.example', 'books.example:444', 'localhost@evil.example', '10.0.0.1', '[::2]', ''],
  ])('refuses the name "%s" for every address and method', async (host) => {
    await exchange(shop.origin, requestOf('/books', 'localhost'));
    for (const target of ['/', '/books', '/nowhere', '/assets/home-abc123.js', '/metrics']) {
      const response = await exchange(shop.origin, requestOf(target, host));
      expect([statusOf(response), response], target).toEqual([
        421,
        expect.stringContaining('MISDIRECTED_REQUEST'),
      ]);
    }
    const posted = await exchange(shop.origin, requestOf('/auth/sign-out', host).replace('GET', 'POST'));
    expect(statusOf(posted)).toBe(421);
  });

  test.each(['127.1', '0x7f.1', '2130706433', '::1'])('also when HOST is %s', async (host) => {
    const other = await openTestStore({ settings: { host } });

    const statuses = ['localhost', 'evil.example'].map(async (name) =>
      statusOf(await exchange(other.origin, requestOf('/books', name))),
    );

    expect(await Promise.all(statuses)).toEqual([200, 421]);
  });

  test('shows a page to a browser that opens an address under another name', async () => {
    const request = requestOf('/', 'evil.example').replace('Connection', 'Accept: text/html\r\nConnection');
    const response = await exchange(shop.origin, request);

    expect(statusOf(response)).toBe(421);
    expect(response).toMatch(/^content-type: text\/html; charset=utf-8\r$/m);
    expect(response).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'");
    expect(response).toContain('<h1>The store is not reached under this name.</h1>\n<p>Its HOST is');
    expect(response).toContain('the host of its PUBLIC_URL');
    expect(response).not.toMatch(/<script|style|books\.example/);
    expect(await exchange(shop.origin, requestOf('/', 'evil.example'))).toContain(
      'content-type: application/problem+json',
    );
  });

  test('logs the name that it refuses, cut off at the length of a name', async () => {
    const lines: string[] = [];
    const logged = await openTestStore({ onLog: (line) => lines.push(line) });
    await exchange(logged.origin, requestOf('/books', 'www.books.example'));
    await exchange(logged.origin, requestOf('http://evil.example/books', 'localhost'));
    await exchange(logged.origin, requestOf('/books', 'a'.repeat(5_000)));
    await logged.close();

    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(requests).toMatchObject([
      { status: 421, route: '/books', host: 'www.books.example' },
      { status: 421, host: 'evil.example' },
      { status: 421, host: 'a'.repeat(259) },
    ]);
  });

  test('takes the host of an absolute target for that of the request', async () => {
    expect(statusOf(await exchange(store.origin, requestOf('http://evil.example/books', 'localhost')))).toBe(
      421,
    );
  });

  test('accepts a public URL’s port or a name without it, as some proxies pass it on', async () => {
    const other = await openTestStore({ settings: { publicUrl: new URL('http://books.example:8080') } });
    const statuses = [];
    for (const host of ['books.example', 'books.example:8080', 'books.example:80']) {
      statuses.push(statusOf(await exchange(other.origin, requestOf('/books', host))));
    }

    expect(statuses).toEqual([200, 200, 421]);
  });
});

test('a store that listens on other addresses responds under every name', async () => {
  const open = await openTestStore({ settings: { host: '0.0.0.0' } });

  expect(statusOf(await exchange(open.origin, requestOf('/books', 'any.example')))).toBe(200);
  expect(statusOf(await exchange(open.origin, requestOf('/books', 'any.example')))).toBe(200);
  const twice = await exchange(open.origin, requestOf('/books', 'any.example', 'any.example'));

  expect([statusOf(twice), twice]).toEqual([400, expect.stringContaining('TWO_HOSTS')]);
});

describe('the host of a request', () => {
  test('may be missing in HTTP/1.0 only', async () => {
    expect(statusOf(await exchange(store.origin, 'GET /healthz HTTP/1.0\r\n\r\n'))).toBe(200);
    const response = await exchange(store.origin, requestOf('/healthz'));

    expect([statusOf(response), response]).toEqual([400, expect.stringContaining('MALFORMED_REQUEST')]);
  });

  test.each(['/', '/books', '/nowhere', 'http://localhost/'])(
    'is refused for %s when there are two',
    async (target) => {
      const response = await exchange(store.origin, requestOf(target, 'localhost', 'localhost'));

      expect([statusOf(response), response]).toEqual([400, expect.stringContaining('TWO_HOSTS')]);
    },
  );
});

test('invented hosts take a limited amount of memory', () => {
  const { accepts } = openHosts({ host: '0.0.0.0', publicUrl: new URL('https://shop.example') });
  const before = bytesOfObjects();

  for (let index = 0; index < 20_000; index += 1) expect(accepts(`${index}.${'x'.repeat(1_000)}`)).toBe(true);

  // Memory for 100 hosts is a tenth of a megabyte, for all of them 20.
  expect(bytesOfObjects() - before).toBeLessThan(5_000_000);
  expect(accepts('shop.example')).toBe(true);
});
