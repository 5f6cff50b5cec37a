import { afterEach, describe, expect, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { exchange } from '../testing/exchange.ts';
import { type CallInit, emma, openTestStore, orderOf, shareTestStore } from '../testing/test-store.ts';

const lines: Record<string, unknown>[] = [];
const onLog = (line: string) => lines.push(JSON.parse(line));
const store = shareTestStore({ onLog, settings: { trustedProxies: ['192.0.2.0/24', '2001:db8::/32'] } });
afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
});

const idOf = ({ headers }: Response) => headers.get('x-request-id');
const lineOf = (response: Response) =>
  expect.poll(() => lines.find(({ requestId }) => requestId === idOf(response)));
const ownId = /^[a-z2-9]{6}-\d+$/;

test('an answer has an id of its own, as its problem and its line in the log have, also to bytes that are no request; one from the cache has none', async () => {
  const first = await store.call('/nowhere');

  expect(idOf(first)).toMatch(ownId);
  expect(idOf(await store.call('/nowhere'))).not.toBe(idOf(first));
  expect(await first.json()).toMatchObject({ code: 'NOT_FOUND', requestId: idOf(first) });
  await lineOf(first).toMatchObject({ msg: 'request', status: 404, code: 'NOT_FOUND' });
  const own = [paths.health, paths.session, paths.signIn, '/', '/assets/home-abc123.js', '/%zz', paths.books];
  for (const path of own) expect(idOf(await store.call(path)), path).toMatch(ownId);
  // A cached response has no id: it would be the id of another request.
  expect(idOf(await store.call(paths.books))).toBeNull();
  const answer = await exchange(store.origin, 'no request\r\n\r\n');
  const [, id] = /x-request-id: (\S+)/.exec(answer) ?? [];
  expect(answer).toContain(`"requestId":"${id}"`);
});
test('the id of a trusted proxy is taken over if it is short and has only signs of ids; that of a client is not', async () => {
  const headersOf = (id: string) => ({ headers: { 'x-request-id': id } });
  expect(idOf(await store.call('/nowhere', headersOf('forged')))).toMatch(ownId);
  const behind = await openTestStore({ settings: { trustedProxies: ['127.0.0.0/8'] }, onLog });

  const response = await behind.call('/nowhere', headersOf('0195-a:b/c+d='));

  expect(await response.json()).toMatchObject({ requestId: '0195-a:b/c+d=' });
  await lineOf(response).toMatchObject({ status: 404 });
  for (const id of ['with space', '<script>', 'a'.repeat(129), 'ada@example.com', '']) {
    expect(idOf(await behind.call('/nowhere', headersOf(id))), id).toMatch(ownId);
  }
});

describe('the log', () => {
  test('has a limited number of lines a second of what is refused, of each kind, and says how many it left out', async () => {
    const flooded = await openTestStore({ settings: { hasRateLimits: false }, onLog });
    const ada = await flooded.signIn({ sub: 'ada', email: 'ada@example.com' });
    let now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    const send60 = (path: string, init?: CallInit) =>
      Promise.all(Array.from({ length: 60 }, () => flooded.call(path, init)));

    await send60('/nowhere');
    await send60(paths.addOrder, { json: {} });
    await send60(paths.addOrder, { json: {}, cookie: ada });
    now += 1_000;
    await send60(paths.vitals, { json: { screen: 'home' } });
    await send60(paths.signOut, { json: {} });
    await send60(`${paths.signInCallback}?code=x&state=x`);
    now += 1_000;
    await flooded.database.close();
    await send60(paths.addOrder, { json: orderOf(emma), cookie: ada });
    await flooded.app.close();

    const linesWith = (part: Record<string, unknown>) =>
      lines.filter((line) => Object.entries(part).every(([name, value]) => line[name] === value));
    const counts = [404, 401, 400, 204, 503].map((status) => linesWith({ msg: 'request', status }).length);
    expect(counts).toEqual([50, 0, 50, 50, 50]);
    expect(linesWith({ msg: 'a sign-in did not succeed' })).toHaveLength(50);
    const leftOut = linesWith({ msg: 'lines of requests were left out' });
    expect(leftOut.reduce((sum, line) => sum + Number(line['leftOut']), 0)).toBe(70 + 10 + 10 + 10 + 10);
  });

  test('has a line for each order that the store could not take, also at LOG_LEVEL=warn', async () => {
    const closed = await openTestStore({ logLevel: 'warn', onLog });
    const cookie = await closed.signIn();
    await closed.database.close();

    const failed = await closed.call(paths.addOrder, { json: orderOf(emma), cookie });

    expect(failed.status).toBe(503);
    await lineOf(failed).toMatchObject({
      ...{ level: 40, route: paths.addOrder, status: 503, code: 'UNAVAILABLE' },
      // The log has the cause; the customer does not see it.
      reason: expect.stringMatching(/^(?!The store)\w/),
    });
  });
});
