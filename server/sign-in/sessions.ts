/** Sessions are rows in the database, so a sign-out or a limit ends them even if a copy of the cookie still exists. */

import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { recordActivity } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import { newId } from '../database/ids.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db } from '../database/tables.ts';
import { type AdminPolicy, type Candidate, isNamedAdmin } from './admins.ts';
import { SignInError } from './attempt-outcome.ts';
import type { Identity } from './identity.ts';
import type { LogoutRequest } from './logout-token.ts';

export type Customer = Identity & Candidate & { id: string };

export type SessionPolicy = AdminPolicy & {
  /** A session is valid only under the setting with which it began. */
  providerIssuer: string;
};

const hour = 60 * 60 * 1000;
const day = 24 * hour;
export const idleLimitMs = 7 * day;
/** The idle limit of a named admin: an unlocked computer must not give access to the desk for days. */
export const adminIdleLimitMs = 12 * hour;
export const absoluteLimitMs = 30 * day;
/** `last_seen_at` is updated at most this often, so that few reads cost a write. */
const seenIntervalMs = hour;
/** The interval for admins. With that of customers, an admin's idle limit would be wrong by up to an hour. */
const adminSeenIntervalMs = 5 * 60 * 1000;

export const hashOfSession = (sessionId: string) => hash('sha256', sessionId, 'base64url');

export type SessionStart = {
  providerIssuer: string;
  /** The provider's `sid`. */
  providerSession?: string | undefined;
  adminClaim?: string | undefined;
  deliveryAddress?: string | null;
  /** The browser's previous session, which this one replaces. */
  replaces?: string | undefined;
  /** The IP address of an admin, for the audit trail. */
  adminAddress?: string | undefined;
  now?: number;
};

/** @returns `sessionId` for the cookie: the table stores only its hash. @throws {SignInError} for a blocked customer. */
export async function startSession(
  db: Db,
  identity: Identity,
  { replaces, adminAddress, now = Date.now(), ...start }: SessionStart,
): Promise<{ sessionId: string; customerId: string }> {
  const sessionId = randomBytes(32).toString('base64url');
  const customerId = await db.transaction().execute(async (db) => {
    // The customer is locked first, as in a block: in the other order the two could deadlock.
    const customerId = await recordCustomer(db, identity, now);
    if (replaces) await endSession(db, replaces);
    if (adminAddress !== undefined) {
      const actor = { customerId, email: identity.email, address: adminAddress };
      await recordActivity(db, 'admin-signed-in', actor);
    }
    await db
      .insertInto('sessions')
      .values({
        id_hash: hashOfSession(sessionId),
        customer_id: customerId,
        created_at: now,
        last_seen_at: now,
        provider_issuer: start.providerIssuer,
        provider_session: start.providerSession ?? null,
        admin_claim: start.adminClaim ?? null,
        delivery_address: start.deliveryAddress ?? null,
      })
      .execute();
    return customerId;
  });
  return { sessionId, customerId };
}

async function recordCustomer(db: Db, identity: Identity, now: number): Promise<string> {
  const { issuer, sub, isEmailVerified, email, name, photo } = identity;
  const details = { email, is_email_verified: Number(isEmailVerified), name, photo };
  const { id, blocked_at, erased_at } = await db
    .insertInto('customers')
    .values({ id: newId(), issuer, sub, created_at: now, ...details })
    .onConflict((conflict) => conflict.columns(['issuer', 'sub']).doUpdateSet(details))
    .returning(['id', 'blocked_at', 'erased_at'])
    .executeTakeFirstOrThrow();
  // Reads the row again: it waits for a block that came first, and a later block ends this session.
  if (blocked_at !== null || erased_at !== null) {
    throw new SignInError('blocked_customer', 'the shop has blocked this customer');
  }
  return id;
}

/** Sessions from before 0.1.0 have no setting. Providers write their issuer with or without a slash at the end. */
const issuerOfSession = sql<string>`rtrim(coalesce(sessions.provider_issuer, customers.issuer), '/')`;
const withoutSlash = (issuer: string): string => issuer.replace(/\/+$/, '');

type Session = Omit<Customer, 'isEmailVerified'> & {
  idHash: string;
  is_email_verified: number;
  lastSeenAt: number;
  createdAt: number;
  began_under: string;
};

/** @returns the session of each hash, even beyond its limits: simultaneous requests share the statement. */
export async function findSessions(
  db: Db,
  idHashes: readonly string[],
): Promise<readonly (Session | undefined)[]> {
  const items = idHashes.map((id_hash) => ({ id_hash }));
  // SQLite reads a cross join's tables in order, whatever its statistics. Older nodes start sessions for blocked customers.
  const { rows } = await sql<Session>`
    select sessions.id_hash as "idHash", customers.id, issuer, sub, email, is_email_verified, name, photo,
      last_seen_at as "lastSeenAt", sessions.created_at as "createdAt", admin_claim as "adminClaim", ${issuerOfSession} as began_under
    from ${engineOf(db).itemTable(items, { id_hash: 'text' })} cross join sessions cross join customers
    where sessions.id_hash = item.id_hash and customers.id = sessions.customer_id
      and blocked_at is null and erased_at is null
  `.execute(db);
  const byHash = new Map(rows.map((row) => [row.idHash, row]));
  return idHashes.map((idHash) => byHash.get(idHash));
}

export type FindSession = (idHash: string) => Promise<Session | undefined>;

/** Finds the customer of a session within its limits, and sometimes records its use. */
export async function findCustomer(
  db: Db,
  sessionId: string,
  policy: SessionPolicy,
  now = Date.now(),
  findSession: FindSession = async (idHash) => (await findSessions(db, [idHash]))[0],
): Promise<Customer | undefined> {
  const found = await findSession(hashOfSession(sessionId));
  if (!found || found.began_under !== withoutSlash(policy.providerIssuer)) return undefined;
  const { idHash, began_under: _, lastSeenAt, createdAt, is_email_verified, ...details } = found;
  if (lastSeenAt <= now - idleLimitMs || createdAt <= now - absoluteLimitMs) return undefined;
  const customer: Customer = { ...details, isEmailVerified: is_email_verified === 1 };
  const isAdmin = isNamedAdmin(customer, policy);
  if (isAdmin && now - lastSeenAt >= adminIdleLimitMs) {
    // The session ends for good: a later change of the setting must not revive it.
    await endSession(db, sessionId);
    return undefined;
  }
  if (now - lastSeenAt > (isAdmin ? adminSeenIntervalMs : seenIntervalMs)) recordUse(db, idHash, now);
  return customer;
}

/** Checks a session that was found earlier: a sign-out, a block or an erasure may have ended it since. */
export const isOpenSession = async (db: Db, idHash: string): Promise<boolean> =>
  (await db
    .selectFrom('sessions')
    .innerJoin('customers', 'customers.id', 'customer_id')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('erased_at', 'is', null)
    .executeTakeFirst()) !== undefined;

/** Records the use. Nothing waits for it: customers must stay signed in even while no write succeeds, such as on a full disk. */
function recordUse(db: Db, idHash: string, now: number): void {
  const update = db.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash);
  update.execute().catch(() => {});
}

export async function findSessionAddress(db: Db, sessionId: string): Promise<string | null> {
  const session = await db
    .selectFrom('sessions')
    .select('delivery_address')
    .where('id_hash', '=', hashOfSession(sessionId))
    .executeTakeFirst();
  return session?.delivery_address ?? null;
}

/** Ends a session. @returns the id of its customer. */
export async function endSession(db: Db, sessionId: string): Promise<string | undefined> {
  const ended = await db
    .deleteFrom('sessions')
    .where('id_hash', '=', hashOfSession(sessionId))
    .returning('customer_id')
    .executeTakeFirst();
  return ended?.customer_id;
}

/** Deletes sessions beyond their limits. The idle limit also finds those beyond the absolute limit, since they are no longer used. */
export async function sweepSessions(db: Db, now = Date.now()): Promise<void> {
  await deleteInBatches(
    db.deleteFrom('sessions').where('id_hash', 'in', ({ selectFrom }) =>
      selectFrom('sessions')
        .select('id_hash')
        .where('last_seen_at', '<=', now - idleLimitMs)
        .limit(sweepBatchSize),
    ),
  );
}

export async function endSessionsOfCustomer(db: Db, customerId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Ends sessions by their `provider_session`. A session without one ends with any session of its subject. @returns how many ended. */
export async function endSessionsOfProvider(
  db: Db,
  { issuer, sub, providerSession, begunUntil }: LogoutRequest,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('created_at', '<=', begunUntil)
    .where('customer_id', 'in', ({ selectFrom }) =>
      selectFrom('customers')
        .select('id')
        .where('issuer', '=', issuer)
        .$if(sub !== undefined, (customers) => customers.where('sub', '=', sub ?? '')),
    )
    .$if(providerSession !== undefined, (sessions) =>
      sessions.where(({ or, eb }) =>
        or([
          eb('provider_session', '=', providerSession ?? null),
          ...(sub === undefined ? [] : [eb('provider_session', 'is', null)]),
        ]),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Ends sessions of a demo or an earlier provider, which {@link findCustomer} rejects. @returns how many ended. */
export const endSessionsOfOtherIssuers = (db: Db, providerIssuer: string): Promise<number> =>
  deleteInBatches(
    db
      .deleteFrom('sessions')
      .where('id_hash', 'in', ({ selectFrom }) =>
        selectFrom('sessions')
          .innerJoin('customers', 'customers.id', 'customer_id')
          .select('id_hash')
          .where(issuerOfSession, '!=', withoutSlash(providerIssuer))
          .limit(sweepBatchSize),
      ),
  );
