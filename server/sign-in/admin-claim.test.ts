import { beforeEach, describe, expect, test } from 'vitest';
import { listActivity } from '../activity/activity.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import { customerIdOf } from '../testing/orders.ts';
import {
  beginSignIn,
  clientOf,
  cookiesOf,
  finishSignIn,
  startTestProvider,
  type TestProvider,
} from '../testing/test-provider.ts';
import { openTestStore, readJson, type TestStore, type TestStoreOptions } from '../testing/test-store.ts';
import { hasAdminClaim, readAdminClaim } from './admin-claim.ts';

let provider: TestProvider;
let logged: string[];
beforeEach(async () => {
  provider = await forThisTest(startTestProvider());
  logged = [];
});

const warnings = () =>
  logged.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ level }) => level === 40);

/** Opens a store with these settings. */
async function open(
  setting: string | undefined,
  adminEmails: string[] = [],
  options: TestStoreOptions = {},
): Promise<TestStore> {
  const adminClaim = setting === undefined ? undefined : readAdminClaim(setting);
  return await openTestStore({
    provider: clientOf(provider, { adminClaim }),
    settings: { adminClaim, adminEmails, hasRateLimits: false },
    onLog: (line) => logged.push(line),
    ...options,
  });
}

/** Signs in fully, with these claims in the ID token. @returns the Cookie header. */
async function signIn(store: TestStore, claims: Record<string, unknown> = {}): Promise<string> {
  provider.claims = { sub: 'ada', email: 'ada@example.com', ...claims };
  return cookiesOf(await finishSignIn(store, await beginSignIn(store, provider)));
}

/** @returns the statuses of a request to the desk and of a change of the catalogue, which is 404 because there is no such book. */
const callAsAdmin = async (store: TestStore, cookie: string) => [
  (await store.call('/desk/api/books', { cookie })).status,
  (await store.call('/restoreBook/no-such-id', { method: 'POST', cookie })).status,
];
const admitted = [200, 404];
const refused = [403, 403];

const isAdminBy = (setting: string, claims: Record<string, unknown>) => {
  const adminClaim = readAdminClaim(setting);
  return adminClaim !== undefined && hasAdminClaim(claims, adminClaim);
};
const auth0 = 'https://shop.example/roles';
const many = Array.from({ length: 5_000 }, (_, index) => `group-${index}`);

describe('ADMIN_CLAIM makes an admin of a customer', () => {
  test('by the whole name and value of a claim, which may be one of a list, and not with the claim of another name, value or kind', () => {
    const admins = 'groups:shop-admins';
    const roles = 'realm_access.roles:shop-admin';
    const admitting: [string, Record<string, unknown>][] = [
      [admins, { groups: ['readers', 'shop-admins'] }],
      [admins, { groups: 'shop-admins' }],
      [admins, { groups: [...many, 'shop-admins'] }],
      [admins, { groups: [null, 7, ['x'], {}, 'shop-admins'] }],
      ['groups:Shop Admins', { groups: ['Shop Admins'] }],
      [roles, { realm_access: { roles: ['shop-admin'] } }],
      ['a.b.c:d', { a: { b: { c: 'd' } } }],
      ['cognito:groups:shop-admins', { 'cognito:groups': ['shop-admins'] }],
      [`${auth0}:admin`, { [auth0]: ['admin'] }],
    ];
    const texts = ['Shop-Admins', 'shop-admins ', 'shop-admins-2', 'shop', 'readers,shop-admins'];
    const objects = [
      { 'shop-admins': true },
      { 0: 'shop-admins' },
      [['shop-admins'], { name: 'shop-admins' }],
    ];
    const others: [string, Record<string, unknown>][] = [
      ...[undefined, null, [], '', texts, ...texts, ...objects, 7, true, many].map(
        (groups): [string, Record<string, unknown>] => [admins, { groups }],
      ),
      [admins, { Groups: ['shop-admins'], group: ['shop-admins'] }],
      // Claims with a part of the name, or with an inherited property.
      [roles, { roles: { roles: ['shop-admin'] } }],
      [roles, { realm_access: ['shop-admin'], roles: ['shop-admin'] }],
      [roles, { realm_access: { roles: ['shop-admin'] }, 'realm_access.roles': [] }],
      [roles, { realm_access: Object.create({ roles: 'shop-admin' }) }],
      ['constructor.name:Object', {}],
      ['__proto__.x:y', {}],
      ['groups.length:1', { groups: ['x'] }],
    ];
    for (const [rows, isAdmitted] of [
      [admitting, true],
      [others, false],
    ] as const)
      for (const [setting, claims] of rows)
        expect([setting, claims, isAdminBy(setting, claims)]).toEqual([setting, claims, isAdmitted]);
  });

  test('at the sign-in whose ID token has the claim, which stays and is in the trail; ADMIN_EMAILS still needs a verified e-mail', async () => {
    const store = await open('groups:shop-admins', ['bo@example.com']);

    const withClaim = await signIn(store, { groups: ['shop-admins'] });
    expect(provider.requests).not.toContain('userinfo');
    const without = await signIn(store, { groups: ['readers'], email_verified: true });
    const bo = { sub: 'bo', email: 'bo@example.com' };

    expect(await callAsAdmin(store, withClaim)).toEqual(admitted);
    expect(await callAsAdmin(store, without)).toEqual(refused);
    expect(await callAsAdmin(store, await signIn(store, { ...bo, email_verified: true }))).toEqual(admitted);
    expect(await callAsAdmin(store, await signIn(store, bo))).toEqual(refused);
    const { entries } = await listActivity(store.database.db, { limit: 10 });
    expect(entries.map(({ action, email }) => [action, email])).toEqual([
      ['admin-signed-in', 'bo@example.com'],
      ['admin-signed-in', 'ada@example.com'],
    ]);
  });
});

describe('userinfo has the claim', () => {
  test('which makes an admin where the ID token lacks it, and vouches for no e-mail and no other subject', async () => {
    const store = await open('groups:shop-admins', ['ada@example.com']);
    const outcome = async (claims: object) => await callAsAdmin(store, await signIn(store, { ...claims }));
    provider.userInfo = { sub: 'ada', groups: ['shop-admins'] };
    expect(await outcome({})).toEqual(admitted);
    expect(await outcome({ groups: ['readers'] })).toEqual(refused);
    expect(await outcome({ groups: {} })).toEqual(refused);
    provider.userInfo = { sub: 'ada', email: 'ada@example.com', email_verified: true };
    expect(await outcome({})).toEqual(refused);
    provider.userInfo = { sub: 'eve', groups: ['shop-admins'] };
    expect(await outcome({})).toEqual(refused);
  });

  test('and fails: the customer can buy, is no admin, and the log has the reason', async () => {
    const store = await open('groups:shop-admins');
    provider.responses.userinfo = (_request, response) => response.writeHead(500).end();

    const cookie = await signIn(store);

    const session = await readJson(await store.call('/auth/session', { cookie }));
    expect(session).toMatchObject({ userName: 'ada@example.com' });
    expect(await callAsAdmin(store, cookie)).toEqual(refused);
    const msg = 'userinfo could not be read for ADMIN_CLAIM or the address';
    const customer = await customerIdOf(store.database.db, 'ada');
    expect(warnings()).toMatchObject([{ msg, reason: expect.any(String), customer }]);
  });
});

test('an e-mail of ADMIN_EMAILS that is not verified is the reason of the refusal, told to its account alone and logged once', async () => {
  const store = await open('groups:shop-admins', ['ada@example.com']);
  const problemOf = async (claims: Record<string, unknown>) => {
    const cookie = await signIn(store, claims);
    return await readJson(await store.call('/desk/api/books', { cookie }), 403);
  };
  provider.userInfo = { sub: 'bo' };
  expect(await problemOf({ sub: 'bo', email: 'bo@example.com' })).toMatchObject({ code: 'NOT_ALLOWED' });
  provider.userInfo = { sub: 'ada' };
  await signIn(store, { email_verified: true });
  await signIn(store, { groups: ['shop-admins'] });
  expect(warnings()).toEqual([]);

  expect(await problemOf({ email: 'Ada@Example.com' })).toMatchObject({
    code: 'EMAIL_NOT_VERIFIED',
    detail: expect.stringContaining('the sign-in provider did not say that its e-mail is verified'),
  });

  const id = await customerIdOf(store.database.db, 'ada');
  expect(warnings()).toMatchObject([{ msg: expect.stringContaining('ADMIN_EMAILS'), customer: id }]);
  expect(logged.join()).not.toMatch(/@example\.com/i);
});
