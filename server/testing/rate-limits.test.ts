import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { openRateLimits } from '../http/rate-limits.ts';
import {
  type CallInit,
  openTestStore as openStore,
  readJson,
  shareTestStore,
  type TestStore,
  type TestStoreOptions,
} from './test-store.ts';

let store: TestStore;
afterEach(() => vi.useRealTimers());

/** A twentieth of each limit holds, and of each number of requests that the tests name a twentieth is sent. */
const scale = 1 / 20;
const openTestStore = (options: TestStoreOptions = {}) => openStore({ limitScale: scale, ...options });

type Call = readonly [path: string, init?: CallInit];

const order: Call = [paths.addOrder, { json: {} }];
const search: Call = ['/books?q=emma'];
const upload: Call = [paths.upload, { method: 'POST' }];
const addition: Call = [paths.addBook, { json: {} }];
const deletion: Call = [paths.deleteBook('unknown'), { method: 'DELETE' }];
const restoration: Call = [paths.restoreBook('unknown'), { method: 'POST' }];
const signInCall: Call = [paths.signIn];
const signOut: Call = [paths.signOut, { method: 'POST' }];
const logout: Call = [paths.backchannelLogout, { method: 'POST' }];
const callback: Call = [`${paths.signInCallback}?state=unknown`];

const callWith = ([path, init]: Call, extra: CallInit): Promise<Response> =>
  store.call(path, { ...init, ...extra });

/** @returns how many responses there were of each status. */
async function countStatuses(calls: readonly Call[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const waiting = [...calls];
  const send = async () => {
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const response = await callWith(call, {});
      await response.arrayBuffer();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 30 }, send));
  return counts;
}

const times = (count: number, [path, init]: Call, extra: CallInit = {}): Call[] =>
  Array.from({ length: Math.ceil(count * scale) }, () => [path, { ...init, ...extra }] as const);

const from = (address: string): CallInit => ({ headers: { 'x-forwarded-for': address } });
const behindProxy = { settings: { trustedProxies: ['127.0.0.1/32'] } };

type OpenApi = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };

/** @returns addresses of a path whose first, or last, letter outside its parameters is percent-encoded. */
function spellingsOf(path: string): string[] {
  const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
  // Without a query the responses of these come from the cache.
  const query = path.includes('{') ? '' : '?a=1';
  return [
    path.replace(/[a-z](?![^{]*\})/i, encode),
    path.replace(/[a-z](?=[^a-z}]*(\{\w+\}[^a-z}]*)*$)/i, encode),
  ].map((spelled) => spelled.replace(/\{\w+\}/g, 'unknown') + query);
}

/** For tests that change no setting: each has clients and accounts of its own. */
const shared = shareTestStore({ limitScale: scale, ...behindProxy });
let serial = 0;
const newClient = (): CallInit => {
  serial += 1;
  return from(`192.0.2.${serial}`);
};
const signIn = () => {
  serial += 1;
  return shared.signIn({ sub: `s${serial}`, email: `s${serial}@example.com` });
};
beforeEach(() => {
  store = shared;
});

describe('an account', () => {
  test('has a limit of orders, uploads, changes of the catalogue and searches', async () => {
    const calls: [call: Call, limit: number][] = [
      [order, 600],
      [upload, 60],
      [addition, 600],
      [deletion, 600],
      [restoration, 600],
      [search, 600],
      [['/books?cursor=unknown'], 600],
    ];
    for (const [call, limit] of calls) {
      const account = { ...newClient(), cookie: await signIn() };

      expect(await countStatuses(times(limit, call, account)), call[0]).not.toHaveProperty('429');
      expect((await callWith(call, account)).status, call[0]).toBe(429);
      expect((await callWith(call, { ...account, cookie: await signIn() })).status, call[0]).not.toBe(429);
    }
  });

  test('has one limit for all changes of the catalogue', async () => {
    const account = { ...newClient(), cookie: await signIn() };
    const changes = [addition, deletion, restoration].flatMap((call) => times(200, call, account));

    expect(await countStatuses(changes)).not.toHaveProperty('429');
    expect((await callWith(deletion, account)).status).toBe(429);
    expect((await callWith(search, account)).status).toBe(200);
  });

  test('may go on when the minute is over, as Retry-After says', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    store = await openTestStore();
    const cookie = await store.signIn();
    await countStatuses(times(600, order, { cookie }));
    vi.setSystemTime(Date.now() + 20_000);

    const refused = await callWith(order, { cookie });
    expect(await readJson(refused, 429)).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 });
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('retry-after')).toBe('40');

    vi.setSystemTime(Date.now() + 40_000);
    expect((await callWith(order, { cookie })).status).toBe(400);
  });

  test('is not limited by what a forged session sends, or begins to send with one that has ended', async () => {
    const forged = { ...newClient(), cookie: 'colophon-session=forged' };
    expect(await countStatuses(times(601, search, forged))).toEqual({ 200: 31 });
    const customer = { sub: 'stolen', email: 'stolen@example.com' };
    const cookie = await shared.signIn(customer);
    await callWith(order, { ...newClient(), cookie });
    await shared.database.db.deleteFrom('sessions').execute();
    let heads = 0;
    const countHead = () => {
      heads += 1;
    };
    shared.app.server.on('request', countHead).on('checkContinue', countHead);
    onTestFinished(() => void shared.app.server.off('request', countHead).off('checkContinue', countHead));
    for (let request = 0; request <= 600 * scale; request += 1) {
      const socket = connect(Number(new URL(shared.origin).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write(
        `POST ${paths.addOrder} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${cookie}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n',
      );
    }
    await expect.poll(() => heads).toBeGreaterThan(600 * scale);

    const own = { ...newClient(), cookie: await shared.signIn(customer) };
    expect((await callWith(order, own)).status).toBe(400);
  });
});

describe('a client', () => {
  test('has a limit of sign-ins, and of all that changes something or costs much', async () => {
    const calls: [call: Call, limit: number][] = [
      [signInCall, 300],
      [signOut, 300],
      [callback, 300],
      [logout, 1_800],
      [order, 1_800],
      [upload, 240],
      [deletion, 1_800],
      [search, 1_800],
      // The response cache does not have these.
      [[`${paths.sitemap}?a`], 300],
      [[`${paths.feed}?a`], 300],
      [[paths.card('no-such-book-00000000.jpg')], 60],
      [[paths.sitemapPart('pages.xml')], 300],
    ];
    for (const [call, limit] of calls) {
      const here = newClient();

      expect(await countStatuses(times(limit, call, here)), call[0]).not.toHaveProperty('429');
      expect((await callWith(call, here)).status, call[0]).toBe(429);
      expect((await callWith(call, newClient())).status, call[0]).not.toBe(429);
    }
  });

  test('has every limit however it spells an address', { timeout: 120_000 }, async () => {
    const description: OpenApi = JSON.parse(await (await callWith([paths.openApi], {})).text());
    const limited = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        '429' in responses ? [{ method: method.toUpperCase(), path }] : [],
      ),
    );
    expect(limited.length).toBeGreaterThan(30);

    const unlimited: string[] = [];
    for (const { method, path } of limited) {
      for (const spelled of spellingsOf(path)) {
        const client = newClient();
        const calls = Array.from({ length: 1_800 * scale + 1 }, (): Call => [spelled, { method, ...client }]);
        const { 429: refused = 0 } = await countStatuses(calls);
        if (refused === 0) unlimited.push(`${method} ${spelled}`);
      }
    }

    expect(unlimited).toEqual([]);
  });

  test('beyond its limit is refused before its session is looked up', async () => {
    store = await openTestStore();
    const cookie = await store.signIn();
    await countStatuses(times(240, upload));
    await store.database.db.schema.dropTable('sessions').execute();

    expect((await callWith(upload, { cookie })).status).toBe(429);
  });

  test('may read the first page, books and its session as often as it likes', async () => {
    store = await openTestStore({ settings: { allowedOrigins: ['https://shop.example'] } });
    // With an Origin the framework responds, and not the response cache.
    const headers = { origin: 'https://shop.example' };
    const calls = [paths.books, paths.book('unknown'), paths.session].flatMap((path) =>
      times(1_801, [path], { headers }),
    );

    expect(await countStatuses(calls)).toEqual({ 200: 182, 404: 91 });
  });
});

test('a request beyond its account’s limit is refused before its body is read, in the format of its call', async () => {
  store = await openTestStore();
  const cookie = await store.signIn();
  await countStatuses(times(60, upload, { cookie }));
  const socket = connect({ port: Number(new URL(store.origin).port), host: '127.0.0.1' });

  socket.write(
    `POST ${paths.upload} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${cookie}\r\nContent-Length: 9000000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nExpect: 100-continue\r\n\r\n',
  );
  const [head] = await once(socket, 'data');
  socket.destroy();
  const refused = await callWith(upload, { cookie });

  expect(String(head)).toMatch(/^HTTP\/1\.1 429 /);
  // That of imgbb.
  expect(await readJson(refused, 429)).toEqual({
    status_code: 429,
    error: { message: 'That was too often. Try again in a while.', code: 100 },
    status_txt: 'TOO_MANY_REQUESTS',
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a browser beyond the limit gets a page to read, without scripts and styles, and of searches a problem', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const pages: Call[] = [signInCall, [`${paths.signIn}?attempt=%22%3E%3Cscript%3E`], callback];
  for (const call of pages) {
    const browser: CallInit = { headers: { accept, ...newClient().headers } };
    await countStatuses(times(300, call, browser));

    const response = await callWith(call, browser);
    const html = await response.text();

    expect(response.status, call[0]).toBe(429);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(html, call[0]).toContain('<h1>That was too often. Try again in a while.</h1>');
    expect(html, call[0]).not.toMatch(/script|style/);
  }
  const browser: CallInit = { headers: { accept, ...newClient().headers } };
  await countStatuses(times(1_800, search, browser));
  expect(await readJson(await callWith(search, browser), 429)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
});

test('a popup beyond the limit of sign-ins gets its last page, which reports the failure and closes it', async () => {
  const popup: Call = [`${paths.signIn}?attempt=attempt-1`];
  const { headers } = newClient();
  await countStatuses(times(300, popup, { headers: { accept: 'text/html', ...headers } }));

  const response = await callWith(popup, { headers: { accept: 'text/html', ...headers } });

  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await response.text()).toContain('data-channel="sign-in-attempt-1" data-signed-in="false"');
  const problem = await callWith(popup, { headers: { accept: '*/*', ...headers } });
  expect(await readJson(problem, 429)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
});

test('a route that changes something must declare a limit', async () => {
  const app = fastify();
  const { limitClients } = await openRateLimits(app, { accountOf: async () => undefined, onRefused() {} });
  limitClients();

  app.get('/read', async () => '');
  app.post('/limited', { config: { limit: 'orders' } }, async () => '');
  expect(() => app.post('/forgotten', async () => '')).toThrow('POST /forgotten declares no limit');
});

test('metrics count what each limit refused, from 0 on', async () => {
  store = await openTestStore();
  const cookie = await store.signIn();
  await countStatuses([...times(60, upload, { cookie }), ...times(300, callback)]);
  for (const call of [upload, upload, callback]) await callWith(call, { cookie });

  const text = await (await store.call(paths.metrics, { headers: { host: 'localhost' } })).text();

  expect(text).toContain('rate_limited_total{limit="uploads",by="account"} 2\n');
  expect(text).toContain('rate_limited_total{limit="orders",by="account"} 0\n');
  expect(text).toContain('rate_limited_total{limit="sign-ins",by="client"} 0\n');
  expect(text).not.toContain('rate_limited_total{limit="sign-ins",by="account"}');
  expect(text).toContain('rate_limited_total{limit="callbacks",by="client"} 1\n');
});

test('RATE_LIMITS=off switches every limit off', async () => {
  store = await openTestStore({ settings: { hasRateLimits: false } });
  const cookie = await store.signIn();

  const calls = [order, upload, deletion, search].flatMap((call) => times(1_801, call, { cookie }));
  expect(await countStatuses([...calls, ...times(301, callback)])).not.toHaveProperty('429');
});

describe('the client is', () => {
  /** @returns true if the callbacks of the first address limit the second. */
  const areOne = async (first: string, second: string): Promise<boolean> => {
    await countStatuses(times(300, callback, from(first)));
    return (await callWith(callback, from(second))).status === 429;
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

  test.each([
    ['without TRUST_PROXY', []],
    ['that TRUST_PROXY does not name', ['10.0.0.0/8', '2001:db8::/32']],
  ])('the peer, whatever address it sends, %s', async (_, trustedProxies) => {
    store = await openTestStore({ settings: { trustedProxies } });

    expect(await areOne('192.0.2.1', '192.0.2.2')).toBe(true);
  });
});

test('the log warns once of a proxy that TRUST_PROXY does not name', async () => {
  const warningsAfter = async (trustedProxies: string[], headers: Record<string, string>) => {
    const lines: string[] = [];
    store = await openStore({ settings: { trustedProxies }, onLog: (line) => lines.push(line) });
    for (const _ of [1, 2]) await callWith(search, { headers });
    return lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  };
  const warning = [{ peer: '127.0.0.1', msg: expect.stringContaining('TRUST_PROXY') }];

  expect(await warningsAfter([], { 'x-forwarded-for': '192.0.2.1' })).toMatchObject(warning);
  expect(await warningsAfter([], { forwarded: 'for=192.0.2.1' })).toMatchObject(warning);
  expect(await warningsAfter(['10.0.0.0/8'], { 'x-forwarded-for': '192.0.2.1' })).toMatchObject(warning);
  expect(await warningsAfter([], {})).toEqual([]);
  expect(await warningsAfter(['127.0.0.0/8'], { 'x-forwarded-for': '127.0.0.1' })).toEqual([]);
});
