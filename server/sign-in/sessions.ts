/** Sessions are rows: signing out, or a limit, ends them on the server, whatever cookie is still about. */

import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { batchedQuery } from '../database/batched-query.ts';
import type { Db } from '../database/tables.ts';

/** Who somebody is at their provider. A customer is `(issuer, sub)`; everything else may change. */
export type Identity = {
  issuer: string;
  sub: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  photo: string;
};

export type Customer = Identity & { id: string };

const day = 24 * 60 * 60 * 1000;
/** A session ends this long after it was last used. */
export const idleLimitMs = 7 * day;
/** A session ends this long after its sign-in, used or not. */
export const absoluteLimitMs = 30 * day;
/** Use is written down no more often than this: a read should not cost a write. */
const seenEveryMs = 60 * 60 * 1000;

const hashOf = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url');

/**
 * Begins a session under a new id, and ends the one that the browser had.
 * @returns the id for the cookie: 256 random bits, of which the table keeps the hash.
 */
export async function startSession(
  db: Db,
  identity: Identity,
  { replaces, now = Date.now() }: { replaces?: string | undefined; now?: number } = {},
): Promise<string> {
  const sessionId = randomBytes(32).toString('base64url');
  await db.transaction().execute(async (db) => {
    if (replaces) await endSession(db, replaces);
    const customerId = await recordCustomer(db, identity, now);
    await db
      .insertInto('sessions')
      .values({ id_hash: hashOf(sessionId), customer_id: customerId, created_at: now, last_seen_at: now })
      .execute();
  });
  return sessionId;
}

async function recordCustomer(db: Db, identity: Identity, now: number): Promise<string> {
  const known = {
    email: identity.email,
    is_email_verified: identity.isEmailVerified ? 1 : 0,
    name: identity.name,
    photo: identity.photo,
  };
  const { id } = await db
    .insertInto('customers')
    .values({ id: newId(), issuer: identity.issuer, sub: identity.sub, created_at: now, ...known })
    .onConflict((conflict) => conflict.columns(['issuer', 'sub']).doUpdateSet(known))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const liveSession = batchedQuery<LiveSessionItem, LiveSessionRow>({
  columns: { id_hash: 'text', seen_after: 'bigint', created_after: 'bigint' },
  key: 'id_hash',
  build: (db, items) =>
    db
      .selectFrom(items)
      .innerJoin('sessions', 'sessions.id_hash', 'item.id_hash')
      .innerJoin('customers', 'customers.id', 'sessions.customer_id')
      .select([
        'sessions.id_hash',
        'customers.id',
        'issuer',
        'sub',
        'email',
        'is_email_verified as isEmailVerified',
        'name',
        'photo',
        'last_seen_at as lastSeenAt',
      ])
      .whereRef('last_seen_at', '>', 'item.seen_after')
      .whereRef('sessions.created_at', '>', 'item.created_after'),
});
type LiveSessionItem = { id_hash: string; seen_after: number; created_after: number };
type LiveSessionRow = Omit<Customer, 'isEmailVerified'> & {
  id_hash: string;
  isEmailVerified: number;
  lastSeenAt: number;
};

/** @returns the customer of a session that is within its limits. */
export async function findCustomer(
  db: Db,
  sessionId: string,
  now = Date.now(),
): Promise<Customer | undefined> {
  const idHash = hashOf(sessionId);
  const row = await liveSession(db, {
    id_hash: idHash,
    seen_after: now - idleLimitMs,
    created_after: now - absoluteLimitMs,
  });
  if (!row) return undefined;

  const { id_hash: _, lastSeenAt, isEmailVerified, ...customer } = row;
  if (now - lastSeenAt > seenEveryMs) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash).execute();
  }
  return { ...customer, isEmailVerified: isEmailVerified === 1 };
}

export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', hashOf(sessionId)).execute();
}

/** Removes the rows of sessions that are over. */
export async function sweepSessions(db: Db, now = Date.now()): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((session) =>
      session.or([
        session('last_seen_at', '<=', now - idleLimitMs),
        session('created_at', '<=', now - absoluteLimitMs),
      ]),
    )
    .execute();
}

/**
 * Ends what a plain-http provider began, which can only have been the demo's or one on this machine: in a shop with a
 * real provider nobody may still be signed in as whoever they once said they were.
 */
export async function endSessionsOfPlainHttp(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('customer_id', 'in', (sessions) =>
      sessions.selectFrom('customers').select('id').where('issuer', 'like', 'http://%'),
    )
    .execute();
}
