import { beforeEach, describe, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import {
  beginSignIn,
  clientOf,
  cookiesOf,
  finishSignIn,
  startTestProvider,
  type TestProvider,
} from '../testing/test-provider.ts';
import { openTestStore, readJson, type TestStore } from '../testing/test-store.ts';

let provider: TestProvider;
let store: TestStore;
beforeEach(async () => {
  provider = await forThisTest(startTestProvider());
  store = await openTestStore({ provider: clientOf(provider) });
});

/** Signs in through the provider. @returns the cookie of the session. */
async function signIn(claims: Record<string, unknown>): Promise<string> {
  provider.claims = { email: `${claims['sub']}@example.com`, ...claims };
  return cookiesOf(await finishSignIn(store, await beginSignIn(store, provider)));
}

const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await readJson(await store.call('/auth/session', { cookie }))) !== null;
const areSignedIn = (...cookies: string[]) => Promise.all(cookies.map(isSignedIn));

const logoutToken = (claims: Record<string, unknown>) =>
  provider.sign(
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, jti: 'a', ...claims },
    { typ: 'logout+jwt' },
  );

/** Sends a logout token as a provider's server does: without Origin and Sec-Fetch-Site. */
const logOut = async (claims: Record<string, unknown>) =>
  store.call(paths.backchannelLogout, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: await logoutToken(claims) }),
  });

describe('a logout from the provider', () => {
  test('of a subject ends every session of this customer, and of no other', async () => {
    const [first, second] = [await signIn({ sub: 'ada', sid: '1' }), await signIn({ sub: 'ada' })];
    const other = await signIn({ sub: 'eve', sid: '2' });
    expect(await areSignedIn(first, second, other)).toEqual([true, true, true]);

    const response = await logOut({ sub: 'ada' });

    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await areSignedIn(first, second, other)).toEqual([false, false, true]);
  });

  test('of a session ends this one; with its subject, those too whose session at the provider is not known', async () => {
    const [first, second] = [await signIn({ sub: 'ada', sid: '1' }), await signIn({ sub: 'ada', sid: '2' })];
    const [unknown, other] = [await signIn({ sub: 'ada' }), await signIn({ sub: 'eve', sid: '3' })];

    expect((await logOut({ sid: '2' })).status).toBe(200);
    expect(await areSignedIn(first, second, unknown, other)).toEqual([true, false, true, true]);
    await logOut({ sub: 'ada', sid: '1' });
    expect(await areSignedIn(first, second, unknown, other)).toEqual([false, false, false, true]);
  });

  test('with a token that is not valid is a 400 in the form of OAuth and of the store, and ends nothing', async () => {
    const cookie = await signIn({ sub: 'ada' });

    const response = await logOut({ sub: 'ada', nonce: 'of an ID token' });

    expect(await readJson(response, 400)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'logout_token' }],
      error: 'invalid_request',
      error_description: 'the logout token has a nonce',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await isSignedIn(cookie)).toBe(true);
  });

  test('whose token cannot be checked is a 503 that shows nothing of the network', async () => {
    await provider.close();

    const response = await logOut({ sub: 'ada' });

    const error_description = 'The store cannot do this right now. Try again shortly.';
    const problem = { code: 'UNAVAILABLE', error: 'temporarily_unavailable', error_description };
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await readJson(response, 503)).toMatchObject(problem);
  });

  test('ends no session of another subject or provider, and none that began after its token was issued', async () => {
    const cookies = [
      await signIn({ sub: 'ada' }),
      await store.signIn({ issuer: 'https://other.example', sub: ' ada' }),
    ];
    await logOut({ sub: ' ada' });
    for (const iat of [1000, -1e308, Math.floor(Date.now() / 1000) - 60])
      expect((await logOut({ sub: 'ada', iat })).status).toBe(200);

    expect(await areSignedIn(...cookies)).toEqual([true, true]);
  });

  test('has another body than a form with a token refused, and asks the provider nothing', async () => {
    for (const [status, body] of [
      [400, new URLSearchParams({ token: 'x' })],
      [400, new URLSearchParams({ logout_token: '' })],
      [413, new URLSearchParams({ logout_token: 'x'.repeat(20_000) })],
      [415, new Blob(['{"logout_token":"x"}'], { type: 'application/json' })],
      [415, new Blob(['logout_token=x'], { type: 'text/plain' })],
    ] as const) {
      const response = await store.call(paths.backchannelLogout, { method: 'POST', body });
      expect(await readJson(response, status)).toMatchObject({ error: 'invalid_request' });
    }
    expect(provider.requests).toEqual([]);
  });
});

test('no other route takes a form', async () => {
  const call = { method: 'POST', body: new URLSearchParams({ a: 'b' }), cookie: await store.signIn() };
  for (const path of [paths.signOut, paths.addOrder, paths.addBook])
    expect([path, (await store.call(path, call)).status]).toEqual([path, 415]);
});
