import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestStore, reader, type TestStore } from '../testing/test-store.ts';
import {
  absoluteLimitMs,
  endSession,
  endSessionsOfPlainHttp,
  findCustomer,
  idleLimitMs,
  startSession,
  sweepSessions,
} from './sessions.ts';

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

const start = Date.UTC(2026, 0, 1);
const day = 86_400_000;

test('a session is found by its id, and the table stores only a hash of that id', async () => {
  const { db } = store.database;
  const id = await startSession(db, reader);

  expect(await findCustomer(db, id)).toEqual({ ...reader, id: expect.any(String) });
  const rows = await db.selectFrom('sessions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await findCustomer(db, rows[0]?.id_hash ?? '')).toBeUndefined();
});

test('a session in use continues until its absolute limit', async () => {
  const { db } = store.database;
  const id = await startSession(db, reader, { now: start });

  for (let now = start; now < start + absoluteLimitMs; now += idleLimitMs - day) {
    expect(await findCustomer(db, id, now)).toBeDefined();
  }
  expect(await findCustomer(db, id, start + absoluteLimitMs)).toBeUndefined();
});

test('an unused session ends at its idle limit', async () => {
  const { db } = store.database;
  const id = await startSession(db, reader, { now: start });

  expect(await findCustomer(db, id, start + idleLimitMs)).toBeUndefined();
});

test('signing in again gives a new id and ends the old session', async () => {
  const { db } = store.database;
  const first = await startSession(db, reader);
  const second = await startSession(db, { ...reader, name: 'Renamed' }, { replaces: first });

  expect(await findCustomer(db, first)).toBeUndefined();
  expect(await findCustomer(db, second)).toMatchObject({ name: 'Renamed' });
  expect(await db.selectFrom('customers').select('id').execute()).toHaveLength(1);
});

test('a different issuer or sub is a different customer, even with the same e-mail', async () => {
  const { db } = store.database;
  const ids = await Promise.all(
    [reader, { ...reader, sub: 'other' }, { ...reader, issuer: 'https://other.example' }].map(
      async (identity) => (await findCustomer(db, await startSession(db, identity)))?.id,
    ),
  );

  expect(new Set(ids).size).toBe(3);
});

test('the sweep removes ended sessions and no others', async () => {
  const { db } = store.database;
  await startSession(db, reader, { now: start });
  const live = await startSession(db, reader, { now: start + idleLimitMs });
  const ended = await startSession(db, reader, { now: start + idleLimitMs });
  await endSession(db, ended);

  await sweepSessions(db, start + idleLimitMs);

  expect(await db.selectFrom('sessions').select('id_hash').execute()).toHaveLength(1);
  expect(await findCustomer(db, live, start + idleLimitMs)).toBeDefined();
});

test('a store with a real provider ends the sessions of the demo, and no others', async () => {
  const { db } = store.database;
  const demo = await startSession(db, { ...reader, issuer: 'http://localhost:3001' });
  const real = await startSession(db, reader);

  await endSessionsOfPlainHttp(db);

  expect(await findCustomer(db, demo)).toBeUndefined();
  expect(await findCustomer(db, real)).toBeDefined();
});
