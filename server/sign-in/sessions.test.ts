import { describe, expect, test } from 'vitest';
import type { Db } from '../database/tables.ts';
import { reader, setUpTestStore } from '../testing/test-store.ts';
import { readAdminClaim } from './admin-claim.ts';
import type { Identity } from './identity.ts';
import {
  absoluteLimitMs,
  adminIdleLimitMs,
  endSession,
  endSessionsOfOtherIssuers,
  findCustomer,
  idleLimitMs,
  type SessionPolicy,
  type SessionStart,
  startSession,
  sweepSessions,
} from './sessions.ts';

const store = setUpTestStore();

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const day = 24 * 60 * minute;
const policy: SessionPolicy = {
  providerIssuer: 'https://identity.example/',
  adminEmails: [],
  adminClaim: undefined,
};

const begin = async (identity: Partial<Identity> = {}, options: Partial<SessionStart> = {}) => {
  const { sessionId } = await startSession(
    store.database.db,
    { ...reader, ...identity },
    { providerIssuer: policy.providerIssuer, ...options },
  );
  return sessionId;
};
const find = (
  sessionId: string,
  { now = Date.now(), ...changes }: Partial<SessionPolicy> & { now?: number } = {},
) => findCustomer(store.database.db, sessionId, { ...policy, ...changes }, now);

test('a session is found by its id, and the table stores only a hash of that id', async () => {
  const id = await begin();

  expect(await find(id)).toEqual({ ...reader, id: expect.any(String), adminClaim: null });
  const rows = await store.database.db.selectFrom('sessions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await find(rows[0]?.id_hash ?? '')).toBeUndefined();
});

test('a session in use continues until its absolute limit', async () => {
  const id = await begin({}, { now: start });

  for (let now = start; now < start + absoluteLimitMs; now += idleLimitMs - day) {
    expect(await find(id, { now })).toBeDefined();
    await expect.poll(lastSeen).toBe(now);
  }
  // The last use is recorded, so the session is known until its limit.
  const now = start + absoluteLimitMs - 1;
  expect(await find(id, { now })).toBeDefined();
  await expect.poll(lastSeen).toBe(now);
  expect(await find(id, { now })).toBeDefined();
  expect(await find(id, { now: start + absoluteLimitMs })).toBeUndefined();
});

test('an unused session ends at its idle limit', async () => {
  const id = await begin({}, { now: start });

  expect(await find(id, { now: start + idleLimitMs })).toBeUndefined();
});

test('signing in again gives a new id and ends the old session', async () => {
  const first = await begin();
  const second = await begin({ name: 'Renamed' }, { replaces: first });

  expect(await find(first)).toBeUndefined();
  expect(await find(second)).toMatchObject({ name: 'Renamed' });
  expect(await store.database.db.selectFrom('customers').select('id').execute()).toHaveLength(1);
});

test('a different issuer or sub is a different customer, even with the same e-mail', async () => {
  const ids = await Promise.all(
    [{}, { sub: 'other' }, { issuer: 'https://other.example' }].map(
      async (identity) => (await find(await begin(identity)))?.id,
    ),
  );

  expect(new Set(ids).size).toBe(3);
});

describe('a session that was found before', () => {
  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['ends', (db) => db.deleteFrom('sessions').execute()],
    ['is of another issuer', (db) => db.updateTable('sessions').set({ provider_issuer: 'other' }).execute()],
    ['was not used for long', (db) => db.updateTable('sessions').set({ last_seen_at: 0 }).execute()],
    // An older node knows neither column, so it may start a session after a block has ended all sessions.
    ['has a blocked customer', (db) => db.updateTable('customers').set({ blocked_at: 1 }).execute()],
    ['has an erased customer', (db) => db.updateTable('customers').set({ erased_at: 1 }).execute()],
  ])('is none from the moment at which it %s, by another process', async (_, change) => {
    const id = await begin();
    const other = await store.openDatabaseAgain();
    expect(await find(id)).toBeDefined();

    await change(other.db);

    expect(await find(id)).toBeUndefined();
  });
});

/** More sessions than one statement reads or deletes. */
const manySessions = (customer_id: string, provider_issuer: string) =>
  Array.from({ length: 2_500 }, (_, index) => ({
    id_hash: `many-${index}`,
    customer_id,
    provider_issuer,
    created_at: start,
    last_seen_at: start,
  }));

test('the sweep removes ended sessions and no others', async () => {
  const { db } = store.database;
  await begin({}, { now: start });
  const live = await begin({}, { now: start + idleLimitMs });
  const ended = await begin({}, { now: start + idleLimitMs });
  await endSession(db, ended);
  const { customer_id } = await db.selectFrom('sessions').select('customer_id').executeTakeFirstOrThrow();
  await db.insertInto('sessions').values(manySessions(customer_id, policy.providerIssuer)).execute();

  await sweepSessions(db, start + idleLimitMs);

  expect(await db.selectFrom('sessions').select('id_hash').execute()).toHaveLength(1);
  expect(await find(live, { now: start + idleLimitMs })).toBeDefined();
});

const lastSeen = async () =>
  (await store.database.db.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow())
    .last_seen_at;

test('a customer stays signed in while the use of the session cannot be recorded', async () => {
  const id = await begin({}, { now: start });
  const other = await store.openDatabaseAgain();

  await other.db.transaction().execute(async (db) => {
    await db.updateTable('sessions').set({ created_at: start }).execute();
    expect(await find(id, { now: start + 2 * 60 * minute })).toBeDefined();
  });

  await expect.poll(lastSeen).toBe(start + 2 * 60 * minute);
});

describe('the session of an admin whom a setting names', () => {
  const adminEmails = [reader.email];

  test('ends after 12 idle hours, for good', async () => {
    const id = await begin({}, { now: start });

    expect(await find(id, { adminEmails, now: start + adminIdleLimitMs })).toBeUndefined();
    expect(await find(id, { now: start + adminIdleLimitMs })).toBeUndefined();
  });

  test('is known by the claim of its sign-in, under the same setting alone', async () => {
    const policyOf = (setting: string) => ({ adminClaim: readAdminClaim(setting), adminEmails: [] });
    const beginOne = (sub: string) =>
      begin({ sub, isEmailVerified: false }, { now: start, adminClaim: 'groups:shop-admins' });
    const id = await beginOne('reader');
    // The use is recorded, so the row has changed.
    const ordinaryId = await beginOne('other');
    const now = start + adminIdleLimitMs;

    expect(await find(ordinaryId, { ...policyOf('groups:other'), now })).toBeDefined();
    expect(await find(id, { ...policyOf('groups:shop-admins'), now })).toBeUndefined();
    expect(await find(id, { now })).toBeUndefined();
  });

  test('is an ordinary one without a verified e-mail that the setting names', async () => {
    for (const [identity, emails] of [
      [{ isEmailVerified: false }, adminEmails],
      [{ sub: 'other', email: 'other@example.com' }, adminEmails],
      [{ sub: 'unset' }, []],
    ] as const) {
      const id = await begin(identity, { now: start });
      expect(await find(id, { adminEmails: emails, now: start + adminIdleLimitMs }), emails[0]).toBeDefined();
    }
  });
});

describe('a change of the identity provider', () => {
  const other = 'https://other.example/';

  test('ends the sessions of the earlier one, whether its address is https or http, and no others', async () => {
    const { db } = store.database;
    const demoIssuer = 'http://localhost:3001';
    const demo = await begin({ issuer: demoIssuer }, { providerIssuer: demoIssuer });
    // Tokens of a provider for several organisations name the organisation too.
    const ofPart = await begin({ issuer: 'https://identity.example/organisation' });
    const earlier = await begin({ issuer: 'https://other.example' }, { providerIssuer: other });
    const current = await begin();
    const { customer_id } = await db.selectFrom('sessions').select('customer_id').executeTakeFirstOrThrow();
    await db.insertInto('sessions').values(manySessions(customer_id, other)).execute();

    expect(await endSessionsOfOtherIssuers(db, policy.providerIssuer)).toBe(2_502);

    for (const [id, isKept] of [
      [demo, false],
      [earlier, false],
      [current, true],
      [ofPart, true],
    ] as const)
      expect((await find(id)) !== undefined).toBe(isKept);
    expect(await endSessionsOfOtherIssuers(db, policy.providerIssuer)).toBe(0);
  });

  test('ends a session at once, also where nothing has removed it yet', async () => {
    const id = await begin();

    expect(await find(id, { providerIssuer: other })).toBeUndefined();
    expect(await find(id)).toBeDefined();
  });

  test('decides about a session of an older version by the issuer of its customer, with or without a slash', async () => {
    const { db } = store.database;
    const current = await begin({ issuer: 'https://identity.example' });
    const earlier = await begin({ issuer: 'https://identity.example.evil' });
    await db.updateTable('sessions').set({ provider_issuer: null }).execute();
    expect([await find(current), await find(earlier)]).toEqual([expect.anything(), undefined]);

    expect(await endSessionsOfOtherIssuers(db, policy.providerIssuer)).toBe(1);

    expect(await find(earlier)).toBeUndefined();
    expect(await find(current)).toBeDefined();
  });
});
