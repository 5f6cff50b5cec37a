/** Sessions are rows in the database, so a sign-out or a limit ends them even if a copy of the cookie still exists. */

import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { batchedQuery } from '../database/batched-query.ts';
import type { Db } from '../database/tables.ts';

/** A person at an identity provider. `(issuer, sub)` identifies a customer; the other fields may change. */
export type Identity = {
  issuer: string;
  sub: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  /** An https: address, or empty. */
  photo: string;
};

/** A person who has signed in, with the store's id. */
export type Customer = Identity & { id: string };

const day = 24 * 60 * 60 * 1000;
/** A session ends this long after it was last used. */
export const idleLimitMs = 7 * day;
/** A session ends this long after its sign-in, used or not. */
export const absoluteLimitMs = 30 * day;
/** `last_seen_at` is updated at most this often, so that few reads cost a write. */
const seenIntervalMs = 60 * 60 * 1000;

const hashOf = (sessionId: string) => createHash('sha256').update(sessionId).digest('base64url');

/**
 * Begins a session under a new id, and records the customer. One transaction.
 * @param options `replaces`: the id of the browser's earlier session, which ends; `now` in milliseconds since 1970.
 * @returns the id for the cookie: 256 random bits in base64url. The table stores only its hash.
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
  const details = {
    email: identity.email,
    is_email_verified: identity.isEmailVerified ? 1 : 0,
    name: identity.name,
    photo: identity.photo,
  };
  const { id } = await db
    .insertInto('customers')
    .values({ id: newId(), issuer: identity.issuer, sub: identity.sub, created_at: now, ...details })
    .onConflict((conflict) => conflict.columns(['issuer', 'sub']).doUpdateSet(details))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const liveSession = batchedQuery({
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

/**
 * Finds the customer of a session, and records about once an hour that it is used. Simultaneous calls share one query.
 * @returns undefined for a session that is unknown or past its limits at `now` (milliseconds since 1970).
 */
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
  if (now - lastSeenAt > seenIntervalMs) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash).execute();
  }
  return { ...customer, isEmailVerified: isEmailVerified === 1 };
}

/** Ends a session; an unknown id is ignored. */
export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', hashOf(sessionId)).execute();
}

/** Removes the rows of sessions past their limits. @param now in milliseconds since 1970. */
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
 * Ends all sessions of plain-http identity providers: the demo's, or another one on this machine. In the demo a visitor
 * can sign in under any name, so no such session may continue in a store with a real provider.
 */
export async function endSessionsOfPlainHttp(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('customer_id', 'in', (sessions) =>
      sessions.selectFrom('customers').select('id').where('issuer', 'like', 'http://%'),
    )
    .execute();
}
