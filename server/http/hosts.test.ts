import { expect, test } from 'vitest';
import { exchange } from '../testing/exchange.ts';
import { openTestStore, shareTestStore } from '../testing/test-store.ts';
import { addressesIn, openHosts } from './hosts.ts';

const lines: string[] = [];
const store = shareTestStore({ onLog: (line) => lines.push(line) });

type Sent = { target?: string; method?: string; hosts?: string[]; headers?: string[]; to?: string };

/** Sends a request with these hosts. @returns the status, and all that the store sent. */
async function send({
  target = '/books',
  method = 'GET',
  hosts = [],
  headers = [],
  to = store.origin,
}: Sent) {
  const fields = [...hosts.map((host) => `Host: ${host}`), ...headers, 'Connection: close'];
  const text = await exchange(to, `${[`${method} ${target} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`);
  return { status: Number(text.slice(9, 12)), text };
}
const navigation = { headers: ['Sec-Fetch-Dest: document'] };

test('a page that is opened under another loopback name leads to the public URL, where the visitor can sign in', async () => {
  for (const host of ['127.0.0.1:3000', '[::1]:3000', '127.0.0.2:3000']) {
    const { status, text } = await send({ ...navigation, target: '/checkout/1?a=b', hosts: [host] });
    expect(status, host).toBe(302);
    expect(text).toMatch(/^location: http:\/\/localhost:3000\/checkout\/1\?a=b\r$/m);
    expect(text).toMatch(/^cache-control: no-store\r$/m);
  }
  for (const host of ['localhost:3000', 'LocalHost:3000', '127.0.0.1:3001', '127.0.0.1']) {
    expect((await send({ ...navigation, target: '/orders', hosts: [host] })).status, host).toBe(200);
  }
  // Programs and calls of the API are served.
  for (const target of ['/', '/auth/session']) {
    expect((await send({ target, hosts: ['127.0.0.1:3000'] })).status, target).toBe(200);
  }
});

test('a page is shown under each name where the store has a public host, or listens on every address', async () => {
  const { origin: to } = await openTestStore({
    settings: { host: '0.0.0.0', publicUrl: new URL('http://books.example:3000') },
  });
  for (const host of ['127.0.0.1:3000', 'any.example']) {
    expect((await send({ ...navigation, target: '/', hosts: [host], to })).status, host).toBe(200);
  }
});

test('a store that listens on loopback, however HOST is written, responds under loopback names and the host of its PUBLIC_URL', () => {
  const known = [
    ...['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.2:80', '[::1]', '[::1]:3000'],
    ...['books.example', 'Books.Example', 'books.example:443'],
  ];
  const foreign = [
    ...['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0'],
    ...['books.example.evil.example', 'books.example:444', 'localhost@evil.example', '10.0.0.1', '[::2]', ''],
  ];
  for (const host of ['127.0.0.1', 'localhost', '127.1', '0x7f.1', '2130706433', '::1']) {
    const { accepts } = openHosts({ host, publicUrl: new URL('https://books.example') });
    expect(known.filter((name) => !accepts(name))).toEqual([]);
    expect(foreign.filter(accepts)).toEqual([]);
  }
  // A proxy may omit the port.
  const { accepts } = openHosts({ host: '::1', publicUrl: new URL('http://books.example:8080') });
  expect(['books.example', 'books.example:8080', 'books.example:80'].map(accepts)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a store on loopback refuses the name "evil.example" for every address and method, and browsers get a page that says why', async () => {
  const hosts = ['evil.example'];
  for (const target of ['/', '/books', '/nowhere', '/assets/home-abc123.js', '/metrics']) {
    const { status, text } = await send({ target, hosts });
    expect([status, text], target).toEqual([421, expect.stringContaining('MISDIRECTED_REQUEST')]);
    expect(text).toContain('content-type: application/problem+json');
  }
  expect((await send({ target: '/auth/sign-out', method: 'POST', hosts })).status).toBe(421);

  const { status, text } = await send({ target: '/', hosts, headers: ['Accept: text/html'] });
  expect(status).toBe(421);
  expect(text).toMatch(/^content-type: text\/html; charset=utf-8\r$/m);
  expect(text).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'");
  expect(text).toContain('<h1>The store is not reached under this name.</h1>\n<p>Its HOST is');
  expect(text).not.toMatch(/<script|style|localhost/);
});

test('the log names each host that is refused, cut off at the length of a name', async () => {
  lines.length = 0;
  await send({ hosts: ['www.books.example'] });
  await send({ target: 'http://evil.example/books', hosts: ['localhost'] });
  await send({ hosts: ['a'.repeat(5_000)] });

  const refusals = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  await expect.poll(refusals).toMatchObject([
    { status: 421, route: '/books', host: 'www.books.example' },
    { status: 421, host: 'evil.example' },
    { status: 421, host: 'a'.repeat(259) },
  ]);
});

test('a request must name one host; HTTP/1.0 none', async () => {
  for (const target of ['/', '/books', '/nowhere', 'http://localhost/']) {
    const { status, text } = await send({ target, hosts: ['localhost', 'localhost'] });
    expect([status, text], target).toEqual([400, expect.stringContaining('TWO_HOSTS')]);
  }
  const { status, text } = await send({ target: '/healthz' });
  expect([status, text]).toEqual([400, expect.stringContaining('MALFORMED_REQUEST')]);
  expect(await exchange(store.origin, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

const forwarded: [header: string, addresses: string[]][] = [
  ['203.0.113.8', ['203.0.113.8']],
  ['203.0.113.8:5555', ['203.0.113.8']],
  ['[2001:db8::1]:5555', ['2001:db8::1']],
  ['[2001:db8::1]', ['2001:db8::1']],
  ['2001:db8::1', ['2001:db8::1']],
  [' 198.51.100.7 ,203.0.113.8:1', ['198.51.100.7', '203.0.113.8']],
  ['unknown, 203.0.113.8', ['203.0.113.8']],
  ['198.51.100.7, "><script>, 203.0.113.8', ['203.0.113.8']],
  ['203.0.113.8, _hidden', []],
  ['', []],
  ['A'.repeat(5_000), []],
  ['[203.0.113.8', []],
  ['203.0.113.8:x', []],
];

test('X-Forwarded-For has addresses, with ports or without, and nothing else is taken for one', () => {
  for (const [header, addresses] of forwarded) expect(addressesIn(header), header).toEqual(addresses);
});
