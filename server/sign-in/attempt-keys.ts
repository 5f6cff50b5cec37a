/** The keys that sign the cookies of sign-in attempts: one for each day, in the database, so the same on every node. */

import { randomBytes } from 'node:crypto';
import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';

/** How long a sign-in attempt may take. */
export const attemptLifetimeMs = 30 * 60 * 1000;

export type AttemptKey = { id: string; secret: string };

export type AttemptKeys = {
  /** @returns the key to sign with at `now` (milliseconds since 1970). */
  current(now?: number): Promise<AttemptKey>;
  /** @returns the key of a signature that may still be valid at `now`; undefined for any other id. */
  find(id: string, now?: number): Promise<AttemptKey | undefined>;
};

/** How far the clocks of two nodes may differ when a new day begins. */
const clockDifferenceMs = 5 * 60 * 1000;

/** The id of the key of a day (UTC). Only these exist, so a client cannot cause a query with an invented one. */
const keyIdAt = (time: number): string => dayText(time);

/** @returns the keys; it makes the key of a day when it is first needed, and queries the database once for each. */
export function openAttemptKeys(db: Db): AttemptKeys {
  const keys = new Map<string, Promise<AttemptKey>>();

  const validIdsAt = (now: number): string[] =>
    [now - attemptLifetimeMs, now, now + clockDifferenceMs].map(keyIdAt);

  function load(id: string, now: number): Promise<AttemptKey> {
    const existing = keys.get(id);
    if (existing) return existing;
    const validIds = validIdsAt(now);
    for (const earlierId of keys.keys()) if (!validIds.includes(earlierId)) keys.delete(earlierId);
    const key = findOrMakeKey(db, id, now);
    keys.set(id, key);
    key.catch(() => keys.delete(id));
    return key;
  }

  return {
    current: (now = Date.now()) => load(keyIdAt(now), now),
    find: async (id, now = Date.now()) => (validIdsAt(now).includes(id) ? await load(id, now) : undefined),
  };
}

/** Another node may make the key of the day at the same time: then both use the one that is stored first. */
async function findOrMakeKey(db: Db, id: string, now: number): Promise<AttemptKey> {
  const secret = randomBytes(32).toString('base64url');
  await db
    .insertInto('attempt_keys')
    .values({ id, secret, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return await db
    .selectFrom('attempt_keys')
    .select(['id', 'secret'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Removes the keys whose signatures have expired. @param now in milliseconds since 1970. */
export async function sweepAttemptKeys(db: Db, now = Date.now()): Promise<void> {
  await db
    .deleteFrom('attempt_keys')
    .where('created_at', '<', now - dayMs - attemptLifetimeMs - 2 * clockDifferenceMs)
    .execute();
}
