/** Sign-ins at Glewlwyd, whose code, tokens and defaults are another project's. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAdminClaim } from '../../server/sign-in/admin-claim.ts';
import { signInProvider } from '../../server/sign-in/provider.ts';
import { callbackUrl, client } from '../../server/testing/test-provider.ts';
import { openTestStore, readJson, type TestStore } from '../../server/testing/test-store.ts';
import { type Glewlwyd, glewlwydIsMissing, hasGlewlwyd, startGlewlwyd } from './glewlwyd.ts';

const adminClaim = readAdminClaim('groups:shop-admins');
const ada = { username: 'ada', email: 'ada@example.com' };

let glewlwyd: Glewlwyd;
let store: TestStore;
let logged: string[];

/** Opens a store with `ada@example.com` in ADMIN_EMAILS. */
async function open(settings: { adminClaim?: typeof adminClaim } = {}): Promise<void> {
  logged = [];
  const { issuer } = glewlwyd;
  store = await openTestStore({
    provider: signInProvider({ ...client, issuer, callbackUrl, ...settings }),
    settings: { adminEmails: [ada.email], ...settings },
    onLog: (line) => logged.push(line),
  });
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

/** A whole sign-in in the same tab. */
async function signIn(username: string): Promise<Response> {
  const begun = await store.call('/auth/sign-in');
  const callback = await glewlwyd.signIn(begun.headers.get('location') ?? '', username);
  expect(callback.origin + callback.pathname).toBe(callbackUrl.href);
  return await store.call(callback.pathname + callback.search, { cookie: cookieOf(begun) });
}

const visitDesk = async (username: string) =>
  await store.call('/desk/api/books', { cookie: cookieOf(await signIn(username)) });

const outcomes = () =>
  logged
    .map((line): Record<string, unknown> => JSON.parse(line))
    .flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));

beforeEach(({ skip }) => skip(!hasGlewlwyd, glewlwydIsMissing));
afterEach(async () => {
  if (hasGlewlwyd) await store.close();
});

async function stop(): Promise<void> {
  if (hasGlewlwyd) await glewlwyd.stop();
}

describe('Glewlwyd as it is by default, without email_verified,', () => {
  afterAll(stop);
  beforeAll(async () => {
    if (!hasGlewlwyd) return;
    glewlwyd = await startGlewlwyd({ ...client, callbackUrl }, { sendsOwnClaims: false });
    await glewlwyd.addUser(ada);
    await glewlwyd.addUser({ username: 'bo', email: 'bo@example.com' });
  });

  test('signs a customer in', async () => {
    await open();

    const response = await signIn('bo');

    expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
    expect(await readJson(await store.call('/auth/session', { cookie: cookieOf(response) }))).toEqual({
      userName: 'User bo',
      email: 'bo@example.com',
      photo: '',
    });
    expect(outcomes()).toEqual(['succeeded']);
  });

  test('makes no admin of an e-mail, and the refusal has the reason', async () => {
    await open();

    expect(await readJson(await visitDesk('ada'), 403)).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
    expect(await readJson(await visitDesk('bo'), 403)).toMatchObject({ code: 'NOT_ALLOWED' });
    expect(logged.filter((line) => line.includes('(email_verified)'))).toHaveLength(1);
  });

  test('makes no admin by a claim that it does not send', async () => {
    await open({ adminClaim });

    expect((await visitDesk('bo')).status).toBe(403);
  });
});

describe('Glewlwyd with email_verified and groups', () => {
  afterAll(stop);
  beforeAll(async () => {
    if (!hasGlewlwyd) return;
    glewlwyd = await startGlewlwyd({ ...client, callbackUrl }, { sendsOwnClaims: true });
    await glewlwyd.addUser({ ...ada, isEmailVerified: true });
    await glewlwyd.addUser({ username: 'bo', email: 'bo@example.com', isEmailVerified: false });
    await glewlwyd.addUser({ username: 'cy', email: 'cy@example.com', groups: ['readers', 'shop-admins'] });
    await glewlwyd.addUser({ username: 'di', email: 'di@example.com', groups: ['shop-admins'] });
    await glewlwyd.addUser({ username: 'ed', email: 'ed@example.com', groups: ['readers', 'shop-admins-2'] });
  });

  test('makes an admin of a verified e-mail, and signs nobody in whose e-mail it calls unverified', async () => {
    await open();

    expect((await visitDesk('ada')).status).toBe(200);
    expect((await signIn('bo')).headers.get('location')).toBe('/login?returnTo=%2F');
    expect(outcomes()).toEqual(['succeeded', 'unverified_email']);
  });

  test.each([
    ['cy', 200],
    ['di', 200],
    ['ed', 403],
  ])('makes an admin by the group, of %s: %i', async (username, status) => {
    await open({ adminClaim });

    expect((await visitDesk(username)).status).toBe(status);
  });
});
