import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { openRateLimits } from '../http/rate-limits.ts';
import type { ApiDescription } from './schema-values.ts';
import {
  type CallInit,
  openTestStore as openStore,
  readJson,
  shareTestStore,
  type TestStore,
  type TestStoreOptions,
} from './test-store.ts';

afterEach(() => vi.useRealTimers());

/** The tests use a sixtieth of each limit, and send a sixtieth of each number of requests that they name. */
const scale = 1 / 60;
const openTestStore = (options: TestStoreOptions = {}) => openStore({ limitScale: scale, ...options });

/** A store for tests that change no setting: each has its own clients and accounts. */
const shared = shareTestStore({
  limitScale: scale,
  settings: { trustedProxies: ['127.0.0.1/32'], allowedOrigins: ['https://shop.example'] },
});
let serial = 0;
const from = (address: string): CallInit => ({ headers: { 'x-forwarded-for': address } });
const newClient = (): CallInit => {
  serial += 1;
  return from(`192.0.2.${serial}`);
};
const newAccount = async (): Promise<CallInit> => {
  const client = newClient();
  return { ...client, cookie: await shared.signIn({ sub: `s${serial}`, email: `s${serial}@example.com` }) };
};

type Call = readonly [path: string, init?: CallInit];

const order: Call = [paths.addOrder, { json: {} }];
const search: Call = ['/books?q=emma'];
const upload: Call = [paths.upload, { method: 'POST' }];
const addition: Call = [paths.addBook, { json: {} }];
const deletion: Call = [paths.deleteBook('unknown'), { method: 'DELETE' }];
const restoration: Call = [paths.restoreBook('unknown'), { method: 'POST' }];
const signInCall: Call = [paths.signIn];
const callback: Call = [`${paths.signInCallback}?state=unknown`];

const sendOne = ([path, init]: Call, extra: CallInit = {}, store: TestStore = shared) =>
  store.call(path, { ...init, ...extra });
const statusOf = async (...call: Parameters<typeof sendOne>) => {
  const response = await sendOne(...call);
  await response.arrayBuffer();
  return response.status;
};
/** Sends `count` calls, scaled down, from a client or an account. @returns whether one was refused. */
async function isRefused(count: number, ...call: Parameters<typeof sendOne>): Promise<boolean> {
  const statuses = Array.from({ length: Math.ceil(count * scale) }, () => statusOf(...call));
  return (await Promise.all(statuses)).includes(429);
}

/** Checks that so many calls are answered, and one more is refused, but not for others. @returns who has sent them. */
async function expectLimit(
  call: Call,
  limit: number,
  newcomer: () => CallInit | Promise<CallInit>,
): Promise<CallInit> {
  const sender = await newcomer();
  expect(await isRefused(limit, call, sender), call[0]).toBe(false);
  expect(await statusOf(call, sender), call[0]).toBe(429);
  expect(await statusOf(call, await newcomer()), call[0]).not.toBe(429);
  return sender;
}

describe('an account', () => {
  test('has a limit of orders, uploads, changes of the catalogue and searches, and one for all changes of the catalogue', async () => {
    await expectLimit(order, 600, newAccount);
    await expectLimit(upload, 60, newAccount);
    await expectLimit(search, 600, newAccount);
    await expectLimit(['/books?cursor=unknown'], 600, newAccount);
    const account = await expectLimit(addition, 600, newAccount);
    const others = [deletion, restoration, search].map((call) => statusOf(call, account));
    expect(await Promise.all(others)).toEqual([429, 429, 200]);
  });

  test('is not limited by what a forged session sends, or begins to send with one that has ended', async () => {
    const forged = { ...newClient(), cookie: 'colophon-session=forged' };
    expect(await isRefused(601, search, forged)).toBe(false);
    const customer = { sub: 'stolen', email: 'stolen@example.com' };
    const cookie = await shared.signIn(customer);
    await statusOf(order, { ...newClient(), cookie });
    await shared.database.db.deleteFrom('sessions').execute();
    const begun = vi.fn();
    shared.app.server.on('request', begun);
    onTestFinished(() => void shared.app.server.off('request', begun));
    for (let request = 0; request <= 600 * scale; request += 1) {
      const socket = connect(Number(new URL(shared.origin).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write(
        `POST ${paths.addOrder} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${cookie}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n',
      );
    }
    await expect.poll(() => begun.mock.calls.length).toBeGreaterThan(600 * scale);

    expect(await statusOf(order, { ...newClient(), cookie: await shared.signIn(customer) })).toBe(400);
  });
});

describe('a client', () => {
  test('has a limit of sign-ins, and of all that changes something or costs much; what people read often has none', async () => {
    const calls: [call: Call, limit: number][] = [
      [signInCall, 300],
      [[paths.signOut, { method: 'POST' }], 300],
      [callback, 300],
      [[paths.backchannelLogout, { method: 'POST' }], 1_800],
      [order, 1_800],
      [upload, 240],
      [deletion, 1_800],
      [search, 1_800],
      [['/?q=emma'], 600],
      // The response cache does not answer these calls.
      [[`${paths.sitemap}?a`], 300],
      [[`${paths.feed}?a`], 300],
      [[paths.card('no-such-book-00000000.jpg')], 60],
      [[paths.sitemapPart('pages.xml')], 300],
    ];
    for (const [call, limit] of calls) await expectLimit(call, limit, newClient);
    for (const path of [paths.books, paths.book('unknown'), paths.session]) {
      // Because of the Origin, the framework responds, and not the response cache.
      const headers = { ...newClient().headers, origin: 'https://shop.example' };
      expect(await isRefused(1_801, [path], { headers }), path).toBe(false);
    }
  });

  test('has every limit however it spells an address', async () => {
    const description = await readJson<ApiDescription>(await shared.call(paths.openApi));
    const limited = Object.entries(description.paths).flatMap(([path, methods]) => {
      const names = Object.keys(methods).filter((name) => '429' in (methods[name]?.responses ?? {}));
      // The last letter outside parameters is percent-encoded. The query bypasses the cache, which has no limit.
      const last = /[a-z](?=[^a-z}]*(\{\w+\}[^a-z}]*)*$)/i;
      const spelled = path.replace(last, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
      const address = spelled.replace(/\{\w+\}/g, 'unknown') + (path.includes('{') ? '' : '?a=1');
      return names.map((name): Call => [address, { method: name.toUpperCase() }]);
    });
    expect(limited.length).toBeGreaterThan(30);
    for (const call of limited) expect(await isRefused(1_801, call, newClient()), call[0]).toBe(true);
  });
});

test('a request beyond a limit is refused before its body is read, in the format of its call, and before its session is looked up, until the minute is over; metrics count it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const store = await openTestStore();
  const cookie = await store.signIn();
  await isRefused(60, upload, { cookie }, store);
  await isRefused(300, callback, {}, store);
  vi.setSystemTime(Date.now() + 20_000);
  const socket = connect({ port: Number(new URL(store.origin).port), host: '127.0.0.1' });
  socket.write(
    `POST ${paths.upload} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${cookie}\r\nContent-Length: 9000000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nExpect: 100-continue\r\n\r\n',
  );
  const [head] = await once(socket, 'data');
  socket.destroy();
  const refused = await sendOne(upload, { cookie }, store);
  const refusedCallback = await sendOne(callback, { cookie }, store);

  expect(String(head)).toMatch(/^HTTP\/1\.1 429 /);
  // The errors have imgbb's form.
  expect(await readJson(refused, 429)).toEqual({
    status_code: 429,
    error: { message: 'That was too often. Try again in a while.', code: 100 },
    status_txt: 'TOO_MANY_REQUESTS',
  });
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(await readJson(refusedCallback, 429)).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 });
  expect(refusedCallback.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(refusedCallback.headers.get('cache-control')).toBe('no-store');
  const metrics = await (await store.call(paths.metrics)).text();
  expect(
    metrics.match(/(?<=^rate_limited_total)\{limit="(uploads|orders|sign-ins|callbacks)".*/gm)?.sort(),
  ).toEqual([
    '{limit="callbacks",by="client"} 1',
    '{limit="orders",by="account"} 0',
    '{limit="orders",by="client"} 0',
    '{limit="sign-ins",by="client"} 0',
    '{limit="uploads",by="account"} 2',
    '{limit="uploads",by="client"} 0',
  ]);

  vi.setSystemTime(Date.now() + 40_000);
  expect(await isRefused(60, upload, { cookie }, store)).toBe(false);
  await isRefused(240, upload, {}, store);
  await store.database.db.schema.dropTable('sessions').execute();
  expect(await statusOf(upload, { cookie }, store)).toBe(429);
});

test('a browser beyond the limit gets a page to read, without scripts and styles', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const browse = async (count: number, call: Call) => {
    const browser: CallInit = { headers: { accept, ...newClient().headers } };
    await isRefused(count, call, browser);
    const response = await sendOne(call, browser);
    expect(response.status, call[0]).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    return response;
  };
  const popup = [`${paths.signIn}?attempt=%22%3E%3Cscript%3E`] as const;
  for (const [count, call] of [
    [300, signInCall],
    [300, popup],
    [300, callback],
    [1_800, search],
  ] as const) {
    const response = await browse(count, call);
    const html = await response.text();
    expect(Object.fromEntries(response.headers), call[0]).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(html, call[0]).toContain('<h1>That was too often. Try again in a while.</h1>');
    expect(html, call[0]).not.toMatch(/script|style/);
  }
});

test('RATE_LIMITS=off switches every limit off', async () => {
  const store = await openTestStore({ settings: { hasRateLimits: false } });
  const account = { cookie: await store.signIn() };
  for (const call of [order, callback, search])
    expect(await isRefused(1_801, call, account, store), call[0]).toBe(false);
});

test('a route that changes something must declare a limit', async () => {
  const app = fastify();
  const { limitClients } = await openRateLimits(app, { accountOf: async () => undefined, onRefused() {} });
  limitClients();

  app.get('/read', async () => '');
  app.post('/limited', { config: { limit: 'orders' } }, async () => '');
  expect(() => app.post('/forgotten', async () => '')).toThrow('POST /forgotten declares no limit');
});

describe('the client is', () => {
  /** @returns true if the callbacks of the first address limit the second. */
  const areOne = async (first: string, second: string, store = shared): Promise<boolean> => {
    await isRefused(300, callback, from(first), store);
    return (await statusOf(callback, from(second), store)) === 429;
  };

  test('the last address that a trusted proxy sends, in IPv4 or mapped to IPv6, or a network of IPv6 (/64)', async () => {
    const pairs: [first: string, second: string, areOne: boolean][] = [
      ['192.0.3.1', '192.0.3.2', false],
      ['192.0.3.3', '::ffff:192.0.3.3', true],
      ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', true],
      ['2001:db8:0:2::1', '2001:db8:0:3::1', false],
      ['1.1.1.1, 192.0.3.4', '2.2.2.2, 192.0.3.4', true],
    ];
    for (const [first, second, expected] of pairs) {
      expect(await areOne(first, second), `${first} and ${second}`).toBe(expected);
    }
  });

  test('the peer, whatever address it sends, without TRUST_PROXY or behind a proxy that it does not name, of which the log warns once', async () => {
    const proxies: [trusted: string[], headers: Record<string, string>, isNamed: boolean][] = [
      [[], { 'x-forwarded-for': '192.0.2.1' }, false],
      [['10.0.0.0/8', '2001:db8::/32'], { forwarded: 'for=192.0.2.1' }, false],
      [['127.0.0.0/8'], { 'x-forwarded-for': '127.0.0.1' }, true],
    ];
    for (const [trustedProxies, headers, isNamed] of proxies) {
      const lines: string[] = [];
      const store = await openTestStore({ settings: { trustedProxies }, onLog: (line) => lines.push(line) });
      const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
      await statusOf(search, {}, store);
      expect(warnings()).toEqual([]);

      for (const _ of [1, 2]) await statusOf(search, { headers }, store);
      const warning = { peer: '127.0.0.1', msg: expect.stringContaining('TRUST_PROXY') };
      expect(warnings()).toMatchObject(isNamed ? [] : [warning]);
      expect(await areOne('192.0.2.1', '192.0.2.2', store), trustedProxies.join()).toBe(!isNamed);
    }
  });
});
