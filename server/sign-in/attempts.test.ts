import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { forThisTest } from '../testing/ends-with-test.ts';
import {
  beginSignIn,
  clientOf,
  finishSignIn,
  startTestProvider,
  type TestProvider,
} from '../testing/test-provider.ts';
import { openTestStore, type TestStore } from '../testing/test-store.ts';
import { sweepAttempts } from './attempts.ts';

let provider: TestProvider;
let store: TestStore;
let logged: string[];
beforeEach(async () => {
  provider = await forThisTest(startTestProvider());
  logged = [];
  store = await openTestStore({ provider: clientOf(provider), onLog: (line) => logged.push(line) });
});

const logLines = () => logged.map((line): Record<string, unknown> => JSON.parse(line));
const signInLines = () => logLines().filter(({ outcome }) => outcome !== undefined);

const begin = (query = '') => beginSignIn(store, provider, query);
const callBack = (callback: URLSearchParams, cookie: string) => finishSignIn(store, { callback, cookie });

/** Signs in fully, with the claims that the provider sends. */
async function signIn(claims: Record<string, unknown> = {}): Promise<Response> {
  provider.claims = { ...provider.claims, ...claims };
  return await finishSignIn(store, await begin());
}

const customerRow = () => store.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();

async function countOf(outcome: string): Promise<number> {
  const text = await (await store.call('/metrics')).text();
  return Number(new RegExp(`^sign_ins_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('a callback', () => {
  test('with a cookie that is forged, of another attempt, or too old sends nothing to the provider', async () => {
    const { callback, cookie } = await begin();
    const other = (await begin()).cookie.split('=')[1] ?? '';
    const [name = '', secret = ''] = cookie.split('=');
    const requestsBefore = provider.requests.length;

    for (const value of ['x', `x${secret}`, other, hash('sha256', secret, 'base64url')]) {
      const response = await callBack(callback, `${name}=${value}`);
      expect([value, response.headers.get('location')]).toEqual([value, '/login']);
    }
    const { db } = store.database;
    const begunAt = Date.now() - 30 * 60_000;
    await db.updateTable('sign_in_attempts').set({ created_at: begunAt }).execute();
    expect((await callBack(callback, cookie)).headers.get('location')).toBe('/login');

    expect(provider.requests.length).toBe(requestsBefore);
    expect(await countOf('unknown_attempt')).toBe(5);
    await db
      .updateTable('sign_in_attempts')
      .set({ created_at: begunAt + 60_000 })
      .execute();
    expect((await callBack(callback, cookie)).headers.get('location')).toBe('/');
    // The other attempt has never been finished.
    await sweepAttempts(db);
    expect(await db.selectFrom('sign_in_attempts').select('id').execute()).toHaveLength(1);
    await sweepAttempts(db, begunAt + 31 * 60_000);
    expect(await db.selectFrom('sign_in_attempts').select('id').execute()).toEqual([]);
  });

  test('with a state that only begins like the attempt’s sends nothing to the provider', async () => {
    const { callback, cookie } = await begin();
    callback.set('state', `${callback.get('state')?.slice(0, 16)}`.padEnd(43, 'x'));

    expect((await callBack(callback, cookie)).headers.get('location')).toBe('/login');
    expect(provider.requests).not.toContain('token');
  });

  test('with the cookie of a finished attempt sends nothing to the provider', async () => {
    const { address, callback, cookie } = await begin();
    expect((await callBack(callback, cookie)).headers.get('location')).toBe('/');
    const requestsBefore = provider.requests.length;

    for (const code of [provider.agree(address).get('code') ?? '', 'invented']) {
      callback.set('code', code);
      expect((await callBack(callback, cookie)).headers.get('location')).toBe('/login');
    }

    expect(provider.requests.length).toBe(requestsBefore);
    expect(await countOf('unknown_attempt')).toBe(2);
  });

  test('is never cached', async () => {
    const { callback, cookie } = await begin('attempt=attempt-1');

    for (const response of [await callBack(callback, cookie), await callBack(callback, '')]) {
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });
});

test('a state or a cookie that only resembles those of attempts is of none, and a sign-in begins in spite of it', async () => {
  const states = ['a b', 'é', 'a;b', 'a'.repeat(16), `${'a'.repeat(42)} `, '\u00ff', ''];
  const cookies = states.map((state) => Buffer.from(`colophon-sign-in-${state}=1`).toString('latin1'));
  for (const [index, state] of states.entries()) {
    const response = await callBack(new URLSearchParams({ state, code: 'x' }), cookies[index] ?? '');
    expect([state, response.headers.get('location')]).toEqual([state, '/login']);
    expect(response.headers.getSetCookie()).toEqual([]);
  }

  const response = await store.call('/auth/sign-in', { cookie: cookies.join('; ') });

  expect(response.headers.get('location')).toContain('/authorize?');
  expect(response.headers.getSetCookie()).toHaveLength(1);
});

test('a sign-in is counted as begun, also when the provider has died and nothing ever comes back', async () => {
  const begun = async () =>
    Number(/^sign_ins_begun_total (\d+)$/m.exec(await (await store.call('/metrics')).text())?.[1]);
  const fromShop = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' };
  expect(await begun()).toBe(0);
  await signIn();
  await provider.close();

  for (let count = 0; count < 2; count += 1) {
    const { headers } = await store.call('/auth/sign-in', { headers: fromShop });
    expect(headers.get('location')).toContain(provider.issuer);
  }
  // A request of a scanner.
  await store.call('/auth/sign-in');

  expect(await begun()).toBe(2);
  expect([await countOf('succeeded'), await countOf('provider_unreachable')]).toEqual([1, 0]);
});

describe('the outcome of a sign-in', () => {
  const signInBlocked = async () => {
    await store.signIn({ issuer: provider.issuer, sub: String(provider.claims['sub']) });
    await store.database.db.updateTable('customers').set({ blocked_at: Date.now() }).execute();
    return await signIn();
  };
  const signInFalsified = () => {
    provider.falsify = (token) => `${token.slice(0, -8)}AAAAAAAA`;
    return signIn();
  };
  const decline = async () => {
    const { callback, cookie } = await begin();
    callback.set('error', 'access_denied');
    callback.set('error_description', 'the user ada@example.com (Ada) is not assigned');
    return await callBack(callback, cookie);
  };
  const answerTokens = (status: number, body: string) => {
    provider.responses.token = (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    return signIn();
  };
  const signInWithoutProvider = async () => {
    await provider.close();
    return await store.call('/auth/sign-in');
  };
  test.each<[string, number, () => Promise<unknown>]>([
    ['unverified_email', 30, () => signIn({ email_verified: false })],
    ['blocked_customer', 30, signInBlocked],
    ['unusable_identity', 30, () => signIn({ email: `${'a'.repeat(320)}@example.com` })],
    ['invalid_token', 30, signInFalsified],
    ['declined', 30, decline],
    ['client_refused', 50, () => answerTokens(401, '{"error":"invalid_client","error_description":"ada@x"}')],
    ['provider_unreachable', 40, signInWithoutProvider],
    ['unknown_attempt', 30, () => store.call('/auth/callback?state=x')],
  ])(
    '%s is logged at level %d in one line, without e-mail or stack, and counted',
    async (outcome, level, act) => {
      await act();

      const [line] = signInLines();
      expect(line).toMatchObject({ level, outcome, ip: '127.0.0.1', reason: expect.any(String) });
      const advice = 'check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET';
      expect(String(line?.['msg']).includes(advice)).toBe(outcome === 'client_refused');
      expect(await countOf(outcome)).toBe(1);
      expect(logged.join()).not.toMatch(/@|stack/);
    },
  );

  test('is logged without the text beside an error’s code', async () => {
    const text = 'ada%40example.com "ada lovelace"@example.com ada＠example.com, +49 30 1234';
    for (const name of ['error', 'error_description']) {
      const { callback, cookie } = await begin();
      callback.set('error', 'access_denied');
      callback.set(name, text);
      await callBack(callback, cookie);
    }
    for (const body of [JSON.stringify({ error: 'invalid_grant', error_description: text }), `"${text}`])
      await answerTokens(400, body);
    await answerTokens(200, `x${text}`);

    expect(signInLines()).toHaveLength(5);
    expect(logged.join()).not.toMatch(/ada[%＠ ]|lovelace/i);
  });

  test('is counted from 0 on, and logged with its customer and address when it succeeds, with the stack when the store fails', async () => {
    for (const outcome of ['succeeded', 'declined', 'failed']) expect(await countOf(outcome)).toBe(0);
    await signIn();
    const { id: customer } = await customerRow();
    expect(signInLines()).toMatchObject([{ level: 30, outcome: 'succeeded', ip: '127.0.0.1', customer }]);
    expect(await countOf('succeeded')).toBe(1);
    await store.database.db.schema.dropTable('sessions').execute();

    await signIn();

    const failed = { level: 50, outcome: 'failed', ip: '127.0.0.1', err: { stack: expect.anything() } };
    expect(signInLines().at(-1)).toMatchObject(failed);
    expect(logged.join()).not.toContain('ada@');
  });
});

test.each([
  [{}, 1],
  [{ everywhere: true }, 2],
])(
  'a sign-out with the body %j is logged with its customer, its address and %d sessions',
  async (json, sessions) => {
    const [here] = [await store.signIn(), await store.signIn()];
    const { id: customer } = await customerRow();

    await store.call('/auth/sign-out', { json, cookie: here });
    await store.call('/auth/sign-out', { json, cookie: here });

    const lines = logLines().filter(({ msg }) => msg === 'a customer signed out');
    expect(lines).toMatchObject([{ level: 30, ip: '127.0.0.1', customer, sessions }]);
    expect(logged.join()).not.toContain('@');
  },
);
