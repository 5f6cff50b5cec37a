import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { exchange } from '../testing/exchange.ts';
import {
  type CallInit,
  emma,
  openTestStore,
  orderOf,
  readJson,
  shareTestStore,
  type TestStore,
  type TestStoreOptions,
} from '../testing/test-store.ts';

let store: TestStore;
let lines: Record<string, unknown>[] = [];
const onLog = (line: string) => lines.push(JSON.parse(line));
const shared = shareTestStore({ onLog });
beforeEach(() => {
  lines = [];
  store = shared;
});
afterEach(() => void vi.restoreAllMocks());

async function open(options: TestStoreOptions): Promise<void> {
  store = await openTestStore({ ...options, onLog });
}

const idOf = ({ headers }: Response) => headers.get('x-request-id');
const lineOf = (id: string | null) => expect.poll(() => lines.find(({ requestId }) => requestId === id));

describe('an answer', () => {
  test('has an id of its own, as its problem and its line in the log have', async () => {
    const first = await store.call('/nowhere');
    const second = await store.call('/nowhere');

    expect(idOf(first)).toMatch(/^[a-z2-9]{6}-\d+$/);
    expect(idOf(second)).not.toBe(idOf(first));
    expect(await first.json()).toMatchObject({ code: 'NOT_FOUND', requestId: idOf(first) });
    await lineOf(idOf(first)).toMatchObject({ msg: 'request', status: 404, code: 'NOT_FOUND' });
  });

  test.each([
    paths.health,
    paths.session,
    paths.signIn,
    '/',
    '/assets/home-abc123.js',
    '/openapi.json',
    '/%zz',
  ])('of %s has an id', async (path) => {
    expect(idOf(await store.call(path))).toMatch(/-\d+$/);
  });

  test('to bytes that are no request has an id too', async () => {
    const answer = await exchange(store.origin, 'no request\r\n\r\n');

    const [, id] = /x-request-id: (\S+)/.exec(answer) ?? [];
    expect(answer).toContain(`"requestId":"${id}"`);
  });

  test('from the response cache has none: it would be that of another request', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(idOf(await store.call(paths.books)));

    expect(ids).toEqual([expect.any(String), null, null]);
  });
});

describe('the id of a proxy', () => {
  const fromProxy = (id: string) => store.call('/nowhere', { headers: { 'x-request-id': id } });

  test('is taken over from a trusted one', async () => {
    await open({ settings: { trustedProxies: ['127.0.0.0/8', '2001:db8::/32'] } });

    const response = await fromProxy('0195-a:b/c+d=');

    expect(await response.json()).toMatchObject({ requestId: '0195-a:b/c+d=' });
    await lineOf('0195-a:b/c+d=').toMatchObject({ status: 404 });
  });

  test.each(['with space', '<script>', 'a'.repeat(129), 'ada@example.com', ''])(
    'is replaced when it is %j',
    async (id) => {
      await open({ settings: { trustedProxies: ['127.0.0.1/32'] } });

      expect(idOf(await fromProxy(id))).toMatch(/^[a-z2-9]{6}-\d+$/);
    },
  );

  test.each([{ trustedProxies: [] }, { trustedProxies: ['192.0.2.0/24', '2001:db8::/32'] }])(
    'is ignored from a client, with $trustedProxies',
    async (settings) => {
      await open({ settings });

      expect(idOf(await fromProxy('forged'))).not.toBe('forged');
    },
  );
});

describe('a traceparent', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const send = (traceparent: string) => store.call('/nowhere', { headers: { traceparent } });

  test.each([`00-${trace}-00f067aa0ba902b7-01`, `01-${trace}-00f067aa0ba902b7-00-more`])(
    'such as %s is sent back, and its trace is in the log',
    async (traceparent) => {
      const response = await send(traceparent);

      expect(response.headers.get('traceparent')).toBe(traceparent);
      await lineOf(idOf(response)).toMatchObject({ traceId: trace });
    },
  );

  test.each([
    `ff-${trace}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${trace}-00f067aa0ba902b7-01-more`,
    `01-${trace}-00f067aa0ba902b7-01-${'x'.repeat(1_000)}`,
    'nonsense',
  ])('%s is ignored', async (traceparent) => {
    const response = await send(traceparent);

    expect(response.headers.get('traceparent')).toBeNull();
    await lineOf(idOf(response)).not.toHaveProperty('traceId');
  });
});

describe('the log', () => {
  test('names the customer and the order of a purchase by their ids, and has no e-mail', async () => {
    await addBook(store.database.db, emma, null);
    const cookie = await store.signIn({ email: 'ada@example.com' });

    const bought = await store.call(paths.addOrder, { json: orderOf(emma, 'ada@example.com'), cookie });
    const refused = await store.call(paths.addOrder, {
      json: orderOf({ ...emma, priceCents: 1 }, 'ada@example.com'),
      cookie,
    });

    const { _id } = await readJson<{ _id: string }>(bought, 201);
    await lineOf(idOf(bought)).toMatchObject({ status: 201, order: _id, customer: expect.any(String) });
    await lineOf(idOf(refused)).toMatchObject({ status: 409, code: 'PRICE_CHANGED' });
    expect(JSON.stringify(lines)).not.toContain('ada@');
  });

  test('has a limited number of lines a second of what is refused, of each kind, and says how many it left out', async () => {
    await open({ settings: { hasRateLimits: false } });
    const ada = await store.signIn({ sub: 'ada', email: 'ada@example.com' });
    const jun = await store.signIn({ sub: 'jun', email: 'jun@example.com' });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const send60 = (path: string, init?: CallInit) =>
      Promise.all(Array.from({ length: 60 }, () => store.call(path, init)));

    await send60('/nowhere');
    await send60(paths.addOrder, { json: {} });
    await send60(paths.addOrder, { json: {}, cookie: ada });
    await send60(paths.addOrder, { json: {}, cookie: jun });
    await store.database.close();
    await send60(paths.addOrder, { json: orderOf(emma), cookie: ada });
    await store.app.close();

    const requests = lines.filter(({ msg }) => msg === 'request');
    const countByStatus = Map.groupBy(requests, ({ status }) => status);
    expect([404, 401, 400, 503].map((status) => countByStatus.get(status)?.length ?? 0)).toEqual([
      50, 0, 20, 50,
    ]);
    expect(
      new Set(
        countByStatus
          .get(400)
          ?.slice(10)
          .map(({ customer }) => customer),
      ).size,
    ).toBe(1);
    expect(lines.filter(({ leftOut }) => leftOut !== undefined)).toMatchObject([{ level: 40, leftOut: 180 }]);
  });

  test('has no line of a preflight, and a limited number a second of changes without a session', async () => {
    await open({ settings: { hasRateLimits: false, allowedOrigins: ['https://spa.example'] } });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };

    const statuses = [];
    for (let count = 0; count < 60; count += 1) {
      const signedOut = await store.call(paths.signOut, { json: {} });
      const allowed = await store.call(paths.addOrder, { method: 'OPTIONS', headers: preflight });
      statuses.push(signedOut.status, allowed.status);
    }
    await store.app.close();

    expect(new Set(statuses)).toEqual(new Set([204]));
    const routes = lines.filter(({ msg }) => msg === 'request').map(({ route }) => route);
    expect(routes).toEqual(Array.from({ length: 50 }, () => paths.signOut));
    expect(lines.filter(({ leftOut }) => leftOut !== undefined)).toMatchObject([{ leftOut: 10 }]);
  });

  test('has a number of failures a second of each customer, whatever others have, and of all together', async () => {
    await open({ settings: { hasRateLimits: false } });
    await addBook(store.database.db, emma, null);
    const emails = Array.from({ length: 21 }, (_, count) => `customer${count}@example.com`);
    const cookies = new Map<string, string>();
    for (const email of emails) cookies.set(email, await store.signIn({ sub: email, email }));
    await store.database.db.schema.dropTable('orders').execute();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());

    for (const [email, cookie] of cookies) {
      const order = () => store.call(paths.addOrder, { json: orderOf(emma, email), cookie });
      await Promise.all(Array.from({ length: 11 }, order));
    }
    await store.app.close();

    const failed = lines.filter(({ msg, status }) => msg === 'request' && status === 500);
    const ofCustomers = Map.groupBy(failed, ({ customer }) => customer);
    expect([...ofCustomers.values()].map(({ length }) => length)).toEqual(Array(20).fill(10));
  });

  test('has a limited number of lines a second of logout tokens and of sign-ins that are refused', async () => {
    await open({ settings: { hasRateLimits: false } });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());

    const body = () => new URLSearchParams({ logout_token: 'x' });
    for (let count = 0; count < 15; count += 1) {
      await store.call(paths.backchannelLogout, { method: 'POST', body: body() });
      await store.call(`${paths.signInCallback}?code=x&state=x`);
    }
    await store.app.close();

    const countOf = (text: string) => lines.filter(({ msg }) => msg === text).length;
    expect(countOf('a logout token was refused')).toBe(10);
    expect(countOf('a sign-in did not succeed')).toBe(10);
    expect(lines.filter(({ leftOut }) => leftOut !== undefined)).toMatchObject([{ leftOut: 10 }]);
  });

  test('has a line for each order that the store could not take, also at LOG_LEVEL=warn', async () => {
    await open({ logLevel: 'warn' });
    const cookie = await store.signIn();
    await store.database.close();

    const failed = await store.call(paths.addOrder, { json: orderOf(emma), cookie });

    expect(failed.status).toBe(503);
    await lineOf(idOf(failed)).toMatchObject({
      ...{ route: paths.addOrder, status: 503, code: 'UNAVAILABLE' },
      // The cause, of which the customer hears nothing.
      reason: expect.stringMatching(/^(?!The store)\w/),
    });
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ level: 40 }]);
  });
});
