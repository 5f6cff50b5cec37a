import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { limits, openRateLimits } from '../http/rate-limits.ts';
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
  test.each([
    ['has a limit of orders', order, 600],
    ['has a limit of uploads', upload, 60],
    ['has a limit of additions', addition, 600],
    ['has a limit of deletions', deletion, 600],
    ['has a limit of restorations', restoration, 600],
    ['has a limit of searches', search, 600],
    ['has a limit of next pages', ['/books?cursor=unknown'] as Call, 600],
  ])('%s', async (_, call, limit) => {
    const account = { ...newClient(), cookie: await signIn() };

    expect(await countStatuses(times(limit, call, account))).not.toHaveProperty('429');
    expect((await callWith(call, account)).status).toBe(429);

    expect((await callWith(call, { ...account, cookie: await signIn() })).status).not.toBe(429);
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

  test('is not limited by what a session that has ended begins to send', async () => {
    const customer = { sub: 'stolen', email: 'stolen@example.com' };
    const cookie = await shared.signIn(customer);
    await callWith(order, { ...newClient(), cookie });
    await shared.database.db.deleteFrom('sessions').execute();
    for (let request = 0; request <= 600 * scale; request += 1) {
      const socket = connect(Number(new URL(shared.origin).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write(
        `POST ${paths.addOrder} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${cookie}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n',
      );
    }
    // The heads have come.
    await pause(300);

    const own = { ...newClient(), cookie: await shared.signIn(customer) };
    expect((await callWith(order, own)).status).toBe(400);
  });

  test('with a forged session counts as its client alone', async () => {
    const forged = { ...newClient(), cookie: 'colophon-session=forged' };

    expect(await countStatuses(times(601, search, forged))).toEqual({ 200: 31 });
  });
});

describe('a client', () => {
  test.each([
    ['has a limit of sign-ins', signInCall, 300],
    ['has a limit of sign-outs', signOut, 300],
    ['has a limit of callbacks', callback, 300],
    ['has a limit of logouts', logout, 1_800],
    ['has a limit of orders', order, 1_800],
    ['has a limit of uploads', upload, 240],
    ['has a limit of changes of the catalogue', deletion, 1_800],
    ['has a limit of searches', search, 1_800],
    ['has a limit of sitemaps that the response cache does not have', [`${paths.sitemap}?a`] as Call, 300],
    ['has a limit of feeds that the response cache does not have', [`${paths.feed}?a`] as Call, 300],
    ['has a limit of cards', [paths.card('no-such-book-00000000.jpg')] as Call, 60],
    ['has a limit of parts of sitemaps', [paths.sitemapPart('pages.xml')] as Call, 300],
  ])('%s', async (_, call, limit) => {
    const here = newClient();

    expect(await countStatuses(times(limit, call, here))).not.toHaveProperty('429');
    expect((await callWith(call, here)).status).toBe(429);

    expect((await callWith(call, newClient())).status).not.toBe(429);
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

test('a limit has counters for 5,000 clients, and forgets the one that was used longest ago', {
  timeout: 60_000,
}, async () => {
  const part: Call = [paths.sitemapPart('none.xml')];
  const first = newClient();
  await countStatuses(times(300, part, first));
  expect((await callWith(part, first)).status).toBe(429);

  const others = Array.from({ length: 5_000 }, (_, index): Call => {
    return [part[0], from(`10.0.${Math.floor(index / 250)}.${index % 250}`)];
  });
  expect(await countStatuses(others)).toEqual({ 404: 5_000 });

  expect((await callWith(part, first)).status).toBe(404);
});

test('a request beyond its account’s limit is refused before its body is read', async () => {
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

  expect(String(head)).toMatch(/^HTTP\/1\.1 429 /);
});

test('a refused upload has an error in imgbb’s format', async () => {
  const client = newClient();
  await countStatuses(times(240, upload, client));

  const response = await callWith(upload, client);

  expect(await readJson(response, 429)).toEqual({
    status_code: 429,
    error: { message: 'That was too often. Try again in a while.', code: 100 },
    status_txt: 'TOO_MANY_REQUESTS',
  });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('a browser beyond the limit', () => {
  const newBrowser = (): CallInit => ({
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...newClient().headers },
  });

  test.each([
    ['sign-ins in the same tab', signInCall],
    ['sign-ins with a malformed attempt', [`${paths.signIn}?attempt=%22%3E%3Cscript%3E`] as Call],
    ['callbacks', callback],
  ])('of %s gets a page to read, without scripts and styles', async (_, call) => {
    const browser = newBrowser();
    await countStatuses(times(300, call, browser));

    const response = await callWith(call, browser);
    const html = await response.text();

    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(html).toContain('<h1>That was too often. Try again in a while.</h1>');
    expect(html).not.toMatch(/script|style/);
  });

  test('of sign-ins gets the last page of its popup, which reports the failure and closes it', async () => {
    const popup: Call = [`${paths.signIn}?attempt=attempt-1`];
    const browser = newBrowser();
    await countStatuses(times(300, popup, browser));

    const response = await callWith(popup, browser);

    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await response.text()).toContain('data-channel="sign-in-attempt-1" data-signed-in="false"');
    expect(
      await readJson(await callWith(popup, { headers: { ...browser.headers, accept: '*/*' } }), 429),
    ).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('of searches gets a problem, as scripts do', async () => {
    const browser = newBrowser();
    await countStatuses(times(1_800, search, browser));

    const response = await callWith(search, browser);

    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await readJson(response, 429)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });
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

  test.each([
    ['the address that a trusted proxy sends', '192.0.2.1', '192.0.2.2', false],
    ['one address, in IPv4 or mapped to IPv6', '192.0.2.1', '::ffff:192.0.2.1', true],
    ['a network of IPv6 (/64)', '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', true],
    ['no wider network of IPv6', '2001:db8:0:1::1', '2001:db8:0:2::1', false],
    [
      'the last address of several, which the proxy has added',
      '1.1.1.1, 192.0.2.1',
      '2.2.2.2, 192.0.2.1',
      true,
    ],
  ])('%s', async (_, first, second, expected) => {
    store = await openTestStore(behindProxy);

    expect(await areOne(first, second)).toBe(expected);
  });

  test.each([
    ['without TRUST_PROXY', []],
    ['that TRUST_PROXY does not name', ['10.0.0.0/8', '2001:db8::/32']],
  ])('the peer, whatever address it sends, %s', async (_, trustedProxies) => {
    store = await openTestStore({ settings: { trustedProxies } });

    expect(await areOne('192.0.2.1', '192.0.2.2')).toBe(true);
  });
});

describe('the log', () => {
  const warningsAfter = async (trustedProxies: string[], headers: Record<string, string>) => {
    const lines: string[] = [];
    store = await openTestStore({ settings: { trustedProxies }, onLog: (line) => lines.push(line) });
    await countStatuses(times(60, search, { headers }));
    return lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  };

  test.each([
    [[], { 'x-forwarded-for': '192.0.2.1' }],
    [[], { forwarded: 'for=192.0.2.1' }],
    [['10.0.0.0/8'], { 'x-forwarded-for': '192.0.2.1' }],
  ])('with TRUST_PROXY=%j warns once of a proxy that sends %j', async (trustedProxies, headers) => {
    expect(await warningsAfter(trustedProxies, headers)).toMatchObject([
      { peer: '127.0.0.1', msg: expect.stringContaining('TRUST_PROXY') },
    ]);
  });

  test.each([
    [[], {}],
    [['127.0.0.0/8'], { 'x-forwarded-for': '192.0.2.1' }],
    [['127.0.0.0/8'], { 'x-forwarded-for': '127.0.0.1' }],
  ])('with TRUST_PROXY=%j warns of nothing when a request has %j', async (trustedProxies, headers) => {
    expect(await warningsAfter(trustedProxies, headers)).toEqual([]);
  });
});

test('the limits of a minute let a class of thirty behind one address work, and a person who clicks five times a second', () => {
  const perMinute = Object.entries(limits).map(([name, limit]) => [
    name,
    'perAccount' in limit ? [limit.perClient, limit.perAccount] : [limit.perClient],
  ]);

  expect(Object.fromEntries(perMinute)).toEqual({
    'sign-ins': [300],
    'sign-outs': [300],
    callbacks: [300],
    logouts: [1_800],
    // Thirty pupils with forty searches, twenty orders, ten changes and five uploads each; three hundred clicks of a person.
    searches: [1_800, 600],
    orders: [1_800, 600],
    'catalogue-changes': [1_800, 600],
    uploads: [240, 60],
    desk: [1_800, 600],
    sitemaps: [300],
    cards: [60],
  });
});
