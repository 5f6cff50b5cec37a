/**
 * A restore must not bring back what was ended since the backup: tokens that were revoked, customers who were blocked or erased. The
 * replaced database knows them, and customers who were unblocked. It is applied to the restored one before a store can open it. An
 * erasure is marked only: whatever finishes interrupted erasures does the rest (customers/erase-customer.ts). Rows that the backup lacks
 * are added, ended: the next restore may be of a newer backup, which has them.
 */

import type { Selectable } from 'kysely';
import { type AppliedMigration, listApplied } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Db, Tables } from '../tables.ts';
import type { Counts, OnStep } from './counts.ts';

/** Names of tokens, and ids of customers. */
export type Reapplied = Record<'revoked' | 'erased' | 'blocked' | 'unblocked', string[]>;

/**
 * Why nothing is applied: there was no store to replace; it cannot be read; it is another one, or one of a version before all this; the
 * backup is of such a version.
 */
export type UnknownEnded = 'none' | 'unreadable' | 'another' | 'tooOld';
export type Ended = { again: Reapplied; unknown: UnknownEnded | undefined };

export type RestoreOptions = {
  /** A store may be replaced. */
  isForced: boolean;
  onStep: OnStep;
  /** Records what was applied again, and finishes the erasures. Not called for a backup of an older version: the next start does it. */
  finish: (db: Db, again: Reapplied) => Promise<void>;
};

export type Restored = Counts &
  Ended & {
    /** The file or the schema in which the replaced database is kept; undefined if there was none. */
    replaced: string | undefined;
    /** A sentence for what is left to do. */
    notes: string[];
  };

const tokenColumns = ['name', 'hash', 'may', 'created_at', 'last_used_at', 'revoked_at'] as const;
const customerColumns = [
  ...(['id', 'issuer', 'sub', 'email', 'is_email_verified', 'name', 'photo'] as const),
  ...(['created_at', 'blocked_at', 'erased_at'] as const),
];

/** The blocks, erasures and revoked tokens that stand in the replaced database. */
export type Known = {
  applied: AppliedMigration[];
  tokens: Pick<Selectable<Tables['tokens']>, (typeof tokenColumns)[number]>[];
  /** Who is blocked, erased, or was unblocked. */
  customers: Pick<Selectable<Tables['customers']>, (typeof customerColumns)[number]>[];
  /** Customers, and when they were unblocked last. */
  unblockedAt: ReadonlyMap<string | null, number>;
};

/** The migration that brought tokens, blocks and erasures. */
const knowsEnded = (applied: readonly AppliedMigration[]): boolean =>
  applied.some(({ name }) => name === '0005-desk');

/** @param replaced a database that may be damaged. */
export async function readKnown(replaced: Db): Promise<Known | UnknownEnded> {
  try {
    const applied = await listApplied(replaced);
    if (applied.length === 0) return 'unreadable';
    if (!knowsEnded(applied)) return 'another';
    const unblocked = await replaced
      .selectFrom('activity')
      .select((of) => ['subject', of.fn.max('at').as('at')])
      .where('action', '=', 'customer-unblocked')
      .groupBy('subject')
      .execute();
    return {
      applied,
      tokens: await replaced
        .selectFrom('tokens')
        .select(tokenColumns)
        .where('revoked_at', 'is not', null)
        .execute(),
      customers: await replaced
        .selectFrom('customers')
        .select(customerColumns)
        .where((is) =>
          is.or([
            is('blocked_at', 'is not', null),
            is('erased_at', 'is not', null),
            is(
              'id',
              'in',
              is.selectFrom('activity').select('subject').where('action', '=', 'customer-unblocked'),
            ),
          ]),
        )
        .orderBy('id')
        .execute(),
      unblockedAt: new Map(unblocked.map(({ subject, at }) => [subject, Number(at)])),
    };
  } catch {
    return 'unreadable';
  }
}

/**
 * Ends the sessions of the restored database, and what the replaced one knows as ended.
 * @param db a transaction in the restored database.
 */
export async function endAgain(db: Db, known: Known | UnknownEnded): Promise<Ended> {
  await db.deleteFrom('sessions').execute();
  const again: Reapplied = { revoked: [], erased: [], blocked: [], unblocked: [] };
  const applied = await listApplied(db);
  if (known === 'none') return { again, unknown: known };
  if (!knowsEnded(applied)) return { again, unknown: 'tooOld' };
  if (typeof known === 'string') return { again, unknown: known };
  const isSame = applied.some(({ name, timestamp }) =>
    known.applied.some((other) => other.name === name && other.timestamp === timestamp),
  );
  if (!isSame) return { again, unknown: 'another' };
  for (const token of known.tokens) if (await revoke(db, token)) again.revoked.push(token.name);
  for (const customer of known.customers) {
    const kind = await endCustomer(db, customer, known);
    if (kind !== undefined) again[kind].push(customer.id);
  }
  return { again, unknown: undefined };
}

async function revoke(db: Db, token: Known['tokens'][number]): Promise<boolean> {
  const { hash, name, revoked_at } = token;
  const own = await db.selectFrom('tokens').select('revoked_at').where('hash', '=', hash).executeTakeFirst();
  if (own?.revoked_at) return false;
  if (own) {
    await db.updateTable('tokens').set({ revoked_at }).where('hash', '=', hash).execute();
    return true;
  }
  // A lost token's name may be another one's by now.
  const isTaken = await db.selectFrom('tokens').select('name').where('name', '=', name).executeTakeFirst();
  await db
    .insertInto('tokens')
    .values({ ...token, name: isTaken ? `${name}.${hash}` : name })
    .execute();
  return true;
}

async function endCustomer(
  db: Db,
  customer: Known['customers'][number],
  { unblockedAt }: Known,
): Promise<keyof Reapplied | undefined> {
  const { id, issuer, sub, blocked_at, erased_at } = customer;
  const person = { issuer: '', sub: id, email: '', is_email_verified: 0, name: '', photo: '' };
  if (erased_at !== null) {
    const own = await db.selectFrom('customers').select('erased_at').where('id', '=', id).executeTakeFirst();
    if (own?.erased_at) return undefined;
    // As another issuer and subject: the person may have become a new customer since.
    if (own) {
      await db
        .updateTable('customers')
        .set({ issuer: '', sub: id, erased_at })
        .where('id', '=', id)
        .execute();
    } else
      await db
        .insertInto('customers')
        .values({ ...customer, ...person, blocked_at: null })
        .execute();
    return 'erased';
  }
  const own = await db
    .selectFrom('customers')
    .select(['id', 'blocked_at'])
    .where('issuer', '=', issuer)
    .where('sub', '=', sub)
    .executeTakeFirst();
  const set = (blocked_at: number | null) =>
    db
      .updateTable('customers')
      .set({ blocked_at })
      .where('issuer', '=', issuer)
      .where('sub', '=', sub)
      .execute();
  if (blocked_at !== null) {
    if (own?.blocked_at) return undefined;
    if (own) {
      await set(blocked_at);
      return 'blocked';
    }
    // Who came after the backup: a sign-in would make them anew, without the block. One with this id is erased already.
    const added = await db
      .insertInto('customers')
      .values(customer)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return added.numInsertedOrUpdatedRows ? 'blocked' : undefined;
  }
  // By the trail: the replaced database may be the older one, and the block newer than it.
  if (!own?.blocked_at || (unblockedAt.get(id) ?? 0) < Number(own.blocked_at)) return undefined;
  await set(null);
  return 'unblocked';
}

/** Finishes what was ended, where the backup is of this version. @returns what is left to do. */
export async function finishEnded(
  db: Db,
  { again }: Ended,
  finish: RestoreOptions['finish'],
): Promise<string[]> {
  // Erasing takes the tables of this version.
  if ((await listApplied(db)).length === Object.keys(migrations).length) await finish(db, again);
  else if (again.erased.length > 0) {
    return [
      'The backup is of an older version: the next start of the store removes the erased customers’ data.',
    ];
  }
  return [];
}
