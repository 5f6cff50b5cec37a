import { hash, randomBytes } from 'node:crypto';
import { type Actor, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';

export const scopes = ['catalogue', 'orders'] as const;
export type Scope = (typeof scopes)[number];

/** Times in milliseconds since 1970. */
type Token = {
  name: string;
  may: Scope;
  createdAt: number;
  /** To about a minute. */
  lastUsedAt: number | null;
  revokedAt: number | null;
};

/** A token begins with this, so that a scanner for leaked secrets can know it. */
const prefix = 'colophon_';
/** `last_used_at` is updated at most this often, so that few calls cost a write. */
const usedIntervalMs = 60_000;

/** @returns true for a bearer token that is one of the store's. A proxy may add others, which are not the store's business. */
export const isTokenSecret = (secret: string): boolean => secret.startsWith(prefix);

const hashOf = (secret: string) => hash('sha256', secret, 'base64url');

export class TokenNameTaken extends Error {}

/** @returns the secret, which is stored nowhere. @throws {TokenNameTaken} also for a revoked one: the audit trail names both. */
export async function createToken(
  db: Db,
  { name, may }: Pick<Token, 'name' | 'may'>,
  actor: Actor,
): Promise<string> {
  const secret = prefix + randomBytes(32).toString('base64url');
  await db.transaction().execute(async (db) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('tokens')
      .values({ name, hash: hashOf(secret), may, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) throw new TokenNameTaken();
    await recordActivity(db, 'token-created', actor, { subject: name, details: { may } });
  });
  return secret;
}

export async function listTokens(db: Db): Promise<Token[]> {
  const rows = await db
    .selectFrom('tokens')
    .select(['name', 'may', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .select('revoked_at as revokedAt')
    .orderBy('name')
    .execute();
  return rows.map((token) => ({ ...token, may: scopeOf(token.may) }));
}

/** @returns false where no such token is left. */
export async function revokeToken(db: Db, name: string, actor: Actor): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ revoked_at: Date.now() })
      .where('name', '=', name)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await recordActivity(db, 'token-revoked', actor, { subject: name });
    return true;
  });
}

export async function findToken(
  db: Db,
  secret: string,
  now = Date.now(),
): Promise<{ name: string; may: Scope } | undefined> {
  // Any other text costs no look at the database.
  if (!isTokenSecret(secret)) return undefined;
  const row = await db
    .selectFrom('tokens')
    .select(['name', 'may', 'last_used_at'])
    .where('hash', '=', hashOf(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { name, may, last_used_at: usedAt } = row;
  if (now - (usedAt ?? 0) > usedIntervalMs) {
    const update = db.updateTable('tokens').set({ last_used_at: now }).where('name', '=', name);
    // The request does not wait for it: it must succeed while no write does, such as on a full disk.
    update.execute().catch(() => {});
  }
  return { name, may: scopeOf(may) };
}

function scopeOf(may: string): Scope {
  const scope = scopes.find((one) => one === may);
  if (!scope) throw new Error(`a token has the unknown scope ${may}`);
  return scope;
}
