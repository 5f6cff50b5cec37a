import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listActivity } from '../activity/activity.ts';
import { createStoreDatabase } from '../testing/test-database.ts';
import { clientOf, startTestProvider, type TestProvider } from '../testing/test-provider.ts';
import { openTestStore, readJson, type TestStore, type TestStoreOptions } from '../testing/test-store.ts';
import { findClaim, readAdminClaim } from './admin-claim.ts';
import { adminIdleLimitMs } from './sessions.ts';

let provider: TestProvider;
let stores: TestStore[];
/** Of a test with several nodes. */
let shared: Awaited<ReturnType<typeof createStoreDatabase>> | undefined;
let logged: string[];
beforeEach(async () => {
  provider = await startTestProvider();
  stores = [];
  logged = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await shared?.remove();
  shared = undefined;
  await provider.close();
});

const warnings = () =>
  logged.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ level }) => level === 40);

/** Opens a store of these settings. */
async function open(
  setting: string | undefined,
  adminEmails: string[] = [],
  options: TestStoreOptions = {},
): Promise<TestStore> {
  const adminClaim = setting === undefined ? undefined : readAdminClaim(setting);
  const store = await openTestStore({
    provider: clientOf(provider, { adminClaim }),
    settings: { adminClaim, adminEmails, hasRateLimits: false },
    onLog: (line) => logged.push(line),
    ...options,
  });
  stores.push(store);
  return store;
}

/** A whole sign-in with these claims of the ID token. @returns the Cookie header. */
async function signIn(store: TestStore, claims: Record<string, unknown> = {}): Promise<string> {
  provider.claims = { sub: 'ada', email: 'ada@example.com', ...claims };
  const begun = await store.call('/auth/sign-in');
  const address = new URL(begun.headers.get('location') ?? '');
  const finished = await store.call(`/auth/callback?${provider.agree(address)}`, { cookie: cookieOf(begun) });
  return cookieOf(finished);
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

/** @returns the statuses of the desk and of a change of the catalogue: 404 for one of a book that there is not. */
const callAsAdmin = async (store: TestStore, cookie: string) => [
  (await store.call('/desk/api/books', { cookie })).status,
  (await store.call('/restoreBook/no-such-id', { method: 'POST', cookie })).status,
];
const admitted = [200, 404];
const refused = [403, 403];

const auth0 = 'https://shop.example/roles';
const many = Array.from({ length: 5_000 }, (_, index) => `group-${index}`);

describe('ADMIN_CLAIM makes an admin of a customer', () => {
  test.each<[string, Record<string, unknown>]>([
    ['groups:shop-admins', { groups: ['readers', 'shop-admins'] }],
    ['groups:shop-admins', { groups: 'shop-admins' }],
    ['groups:shop-admins', { groups: [...many, 'shop-admins'] }],
    ['groups:shop-admins', { groups: [null, 7, ['x'], {}, 'shop-admins'] }],
    ['groups:Shop Admins', { groups: ['Shop Admins'] }],
    ['realm_access.roles:shop-admin', { realm_access: { roles: ['shop-admin'] } }],
    ['a.b.c:d', { a: { b: { c: 'd' } } }],
    ['cognito:groups:shop-admins', { 'cognito:groups': ['shop-admins'] }],
    [`${auth0}:admin`, { [auth0]: ['admin'] }],
  ])('by %s, with the claims %j', async (setting, claims) => {
    const store = await open(setting);

    expect(await callAsAdmin(store, await signIn(store, claims))).toEqual(admitted);
    expect(provider.requests).not.toContain('userinfo');
  });

  test.each<[string, unknown]>([
    ['groups', undefined],
    ['groups', null],
    ['groups', []],
    ['groups', ''],
    ['groups', ['Shop-Admins', 'shop-admins ', 'shop-admins-2', 'shop', 'readers,shop-admins']],
    ['groups', 'readers shop-admins'],
    ['groups', { 'shop-admins': true }],
    ['groups', { 0: 'shop-admins' }],
    ['groups', [['shop-admins'], { name: 'shop-admins' }]],
    ['groups', 7],
    ['groups', true],
    ['groups', many],
    ['Groups', ['shop-admins']],
    ['group', ['shop-admins']],
  ])('not with the claim %s as %j', async (name, value) => {
    const store = await open('groups:shop-admins');

    expect(await callAsAdmin(store, await signIn(store, { [name]: value, email_verified: true }))).toEqual(
      refused,
    );
  });

  test.each<[string, unknown]>([
    ['realm_access.roles:shop-admin', { roles: { roles: ['shop-admin'] } }],
    ['realm_access.roles:shop-admin', { realm_access: ['shop-admin'], roles: ['shop-admin'] }],
    ['realm_access.roles:shop-admin', { realm_access: { roles: [] }, 'realm_access.roles': [] }],
    ['realm_access.roles:shop-admin', { realm_access: { roles: ['shop-admin'] }, 'realm_access.roles': [] }],
    ['constructor.name:Object', {}],
    ['__proto__.x:y', {}],
    ['groups.length:1', { groups: ['x'] }],
  ])('not by %s, with the claims %j', async (setting, claims) => {
    const store = await open(setting);

    expect(await callAsAdmin(store, await signIn(store, claims as Record<string, unknown>))).toEqual(refused);
  });

  test('not by a member that the claims inherit', () => {
    const claims = { realm_access: Object.create({ roles: 'shop-admin' }) };

    expect(findClaim(claims, 'realm_access.roles')).toBeUndefined();
  });

  test('by the signed token alone: one with the claim added later signs nobody in', async () => {
    const store = await open('groups:shop-admins');
    provider.falsify = (token) => {
      const [header, payload = '', signature] = token.split('.');
      const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), groups: ['shop-admins'] };
      return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    };

    expect(await callAsAdmin(store, await signIn(store))).toEqual([401, 401]);
  });

  test('beside ADMIN_EMAILS, which still needs a verified e-mail', async () => {
    const store = await open('groups:shop-admins', ['ada@example.com']);

    const byClaim = await signIn(store, { sub: 'bo', email: 'bo@example.com', groups: ['shop-admins'] });
    expect(await callAsAdmin(store, byClaim)).toEqual(admitted);
    expect(await callAsAdmin(store, await signIn(store, { email_verified: true }))).toEqual(admitted);
    expect(await callAsAdmin(store, await signIn(store))).toEqual(refused);
  });

  test('whose sign-in the audit trail has', async () => {
    const store = await open('groups:shop-admins');
    await signIn(store);
    await signIn(store, { groups: ['shop-admins'] });

    const { entries } = await listActivity(store.database.db, { limit: 10 });
    expect(entries).toMatchObject([{ action: 'admin-signed-in', email: 'ada@example.com' }]);
  });
});

describe('userinfo has the claim', () => {
  test.each([
    ['the ID token lacks it', {}, admitted],
    ['not if the ID token has another value', { groups: ['readers'] }, refused],
    ['not if the ID token has another kind of it', { groups: {} }, refused],
  ])('%s', async (_case, claims, outcome) => {
    const store = await open('groups:shop-admins');
    provider.userInfo = { sub: 'ada', groups: ['shop-admins'] };

    expect(await callAsAdmin(store, await signIn(store, claims))).toEqual(outcome);
  });

  test('of another subject, which makes no admin', async () => {
    const store = await open('groups:shop-admins');
    provider.userInfo = { sub: 'eve', groups: ['shop-admins'] };

    expect(await callAsAdmin(store, await signIn(store))).toEqual(refused);
  });

  test('and does not vouch for the e-mail of the ID token', async () => {
    const store = await open('groups:shop-admins', ['ada@example.com']);
    provider.userInfo = { sub: 'ada', email: 'ada@example.com', email_verified: true };

    expect(await callAsAdmin(store, await signIn(store))).toEqual(refused);
  });

  test('and fails: the customer can buy, is no admin, and the log has the reason', async () => {
    const store = await open('groups:shop-admins');
    provider.responses.userinfo = (_request, response) => response.writeHead(500).end();

    const cookie = await signIn(store);

    expect(await readJson(await store.call('/auth/session', { cookie }))).toMatchObject({
      userName: 'ada@example.com',
    });
    expect(await callAsAdmin(store, cookie)).toEqual(refused);
    const { id } = await store.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();
    expect(warnings()).toMatchObject([
      { msg: 'userinfo could not be read for ADMIN_CLAIM', reason: expect.any(String), customer: id },
    ]);
  });
});

describe('an admin by a claim', () => {
  test('is one at every node of that setting, until the session ends', async () => {
    shared = await createStoreDatabase();
    const database = shared.settings;
    const nodeOf = (setting: string | undefined, adminEmails: string[] = []) =>
      open(setting, adminEmails, { database });
    const [first, second, renamed, byEmail] = [
      await nodeOf('groups:shop-admins'),
      await nodeOf('groups:shop-admins'),
      await nodeOf('groups:owners'),
      await nodeOf(undefined, ['bo@example.com']),
    ];
    const cookie = await signIn(first, { groups: ['shop-admins'] });

    expect(await callAsAdmin(second, cookie)).toEqual(admitted);
    expect(await callAsAdmin(renamed, cookie)).toEqual(refused);
    expect(await callAsAdmin(byEmail, cookie)).toEqual(refused);
    await second.call('/auth/sign-out', { method: 'POST', cookie });
    expect(await callAsAdmin(first, cookie)).toEqual([401, 401]);
    expect(await callAsAdmin(first, await signIn(second))).toEqual(refused);
  });

  test('keeps their other session as it began', async () => {
    const store = await open('groups:shop-admins');
    const asAdmin = await signIn(store, { groups: ['shop-admins'] });
    const asCustomer = await signIn(store, { groups: [] });

    expect(await callAsAdmin(store, asAdmin)).toEqual(admitted);
    expect(await callAsAdmin(store, asCustomer)).toEqual(refused);
  });

  test('is signed out after 12 idle hours', async () => {
    const store = await open('groups:shop-admins');
    const cookie = await signIn(store, { groups: ['shop-admins'] });
    await store.database.db
      .updateTable('sessions')
      .set({ last_seen_at: Date.now() - adminIdleLimitMs })
      .execute();

    expect(await callAsAdmin(store, cookie)).toEqual([401, 401]);
  });
});

describe('an e-mail of ADMIN_EMAILS that the provider does not call verified', () => {
  const problemOf = async (store: TestStore, cookie: string, path = '/desk/api/books') =>
    readJson<{ code: string; detail?: string }>(await store.call(path, { cookie }), 403);

  test('is named as the reason of the refusal, to its own account alone', async () => {
    const store = await open(undefined, ['ada@example.com']);
    const reason = {
      code: 'EMAIL_NOT_VERIFIED',
      detail: expect.stringContaining('the sign-in provider did not say that its e-mail is verified'),
    };

    const cookie = await signIn(store, { email: 'Ada@Example.com' });
    expect(await problemOf(store, cookie)).toMatchObject(reason);
    const change = await store.call('/restoreBook/x', { method: 'POST', cookie });
    expect(await readJson(change, 403)).toMatchObject(reason);
    const other = await signIn(store, { sub: 'bo', email: 'bo@example.com' });
    expect(await problemOf(store, other)).toMatchObject({ code: 'NOT_ALLOWED' });
    const verified = await signIn(store, { sub: 'cy', email: 'cy@example.com', email_verified: true });
    expect(await problemOf(store, verified)).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  test('has one warning in the log at each such sign-in, without the e-mail', async () => {
    const store = await open('groups:shop-admins', ['ada@example.com']);
    await signIn(store, { email: 'bo@example.com' });
    await signIn(store, { email_verified: true });
    await signIn(store, { groups: ['shop-admins'] });
    expect(warnings()).toEqual([]);

    await signIn(store);

    const { id } = await store.database.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();
    expect(warnings()).toMatchObject([{ msg: expect.stringContaining('ADMIN_EMAILS'), customer: id }]);
    expect(logged.join()).not.toContain('@example.com');
  });
});
