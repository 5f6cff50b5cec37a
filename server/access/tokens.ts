import { hash, randomBytes } from 'node:crypto';
import { type Actor, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { StartError } from '../start-error.ts';

export const scopes = ['catalogue', 'orders'] as const;
export type Scope = (typeof scopes)[number];

/** The prefix of each token, by which scanners for leaked secrets recognise it. */
const prefix = 'colophon_';
/** `last_used_at` is updated at most this often, so that few calls cost a write. */
const usedIntervalMs = 60_000;

/** The store ignores bearer tokens without the prefix: a proxy may add its own. */
export const isTokenSecret = (secret: string): boolean => secret.startsWith(prefix);

const hashOfToken = (secret: string) => hash('sha256', secret, 'base64url');

/** @returns the secret, which is stored nowhere. @throws {StartError} also for the name of a revoked one: the audit trail names both. */
export async function createToken(
  db: Db,
  { name, may }: { name: string; may: Scope },
  actor: Actor,
): Promise<string> {
  const secret = prefix + randomBytes(32).toString('base64url');
  await db.transaction().execute(async (db) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('tokens')
      .values({ name, hash: hashOfToken(secret), may, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) {
      throw new StartError(`There is, or was, a token with the name ${name}. Choose another one.`);
    }
    await recordActivity(db, 'token-created', actor, { subject: name, details: { may } });
  });
  return secret;
}

export async function listTokens(db: Db) {
  const rows = await db.selectFrom('tokens').selectAll().orderBy('name').execute();
  return rows.map(({ name, may, created_at, last_used_at, revoked_at }) => ({
    ...{ name, may, createdAt: timeText(created_at) },
    ...{ lastUsedAt: timeOrNull(last_used_at), revokedAt: timeOrNull(revoked_at) },
  }));
}

/** @throws {StartError} when there is no such token. */
export async function revokeToken(db: Db, name: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ revoked_at: Date.now() })
      .where('name', '=', name)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new StartError(`No token with the name ${name} can be revoked.`);
    await recordActivity(db, 'token-revoked', actor, { subject: name });
  });
}

export async function findToken(
  db: Db,
  secret: string,
  now = Date.now(),
): Promise<{ name: string; may: Scope } | undefined> {
  const row = await db
    .selectFrom('tokens')
    .select(['name', 'may', 'last_used_at'])
    .where('hash', '=', hashOfToken(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { name, may, last_used_at: usedAt } = row;
  if (now - (usedAt ?? 0) > usedIntervalMs) {
    const update = db.updateTable('tokens').set({ last_used_at: now }).where('name', '=', name);
    // The request does not wait for this update: it must succeed even while no write does, such as on a full disk.
    update.execute().catch(() => {});
  }
  return { name, may };
}
