/**
 * A restore must not bring back what was ended since the backup: tokens that were revoked, customers who were blocked or erased. The
 * replaced database knows them, and customers who were unblocked. It is applied to the restored one before a store can open it. An
 * erasure is marked only: whatever finishes interrupted erasures does the rest (customers/erase-customer.ts). Rows that the backup lacks
 * are added, ended: the next restore may be of a newer backup, which has them.
 */

import { listApplied } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import type { Db } from '../tables.ts';
import type { Counts, OnStep } from './counts.ts';

/** Names of tokens, and ids of customers. */
export type Reapplied = Record<'revoked' | 'erased' | 'blocked' | 'unblocked', string[]>;

/** `unknown`: a sentence if nothing could be applied again. */
export type Ended = { again: Reapplied; unknown: string | undefined };

export type RestoreOptions = {
  isForced: boolean;
  onStep: OnStep;
  /** Records what was applied again, and finishes the erasures. Not called for a backup of an older version: the next start does it. */
  finish: (db: Db, again: Reapplied) => Promise<void>;
};

/** `replaced`: the file or the schema in which the replaced database is kept. `notes`: a sentence for what is left to do. */
export type Restored = Counts & Ended & { replaced: string | undefined; notes: string[] };

const doAgain = 'Revoke tokens, block and erase customers again, as was done since the backup';
const reasons = {
  none: `${doAgain}: there was no store to replace, which would know them.`,
  unreadable: `${doAgain}: the replaced database cannot be read.`,
  another: `${doAgain}: the replaced database is another store, or of a version that knew none of these.`,
  tooOld: `${doAgain}: the backup is of a version that knew none of these.`,
};

type Unknown = 'none' | 'unreadable';
export type Known = Awaited<ReturnType<typeof read>> | Unknown;

/** @param replaced outside a transaction: it may be damaged. */
export async function readKnown(replaced: Db | Unknown): Promise<Known> {
  return typeof replaced === 'string' ? replaced : await read(replaced).catch(() => 'unreadable' as const);
}

async function read(db: Db) {
  const unblocked = await db
    .selectFrom('activity')
    .select((of) => ['subject as id', of.fn.max('at').as('at')])
    .where('action', '=', 'customer-unblocked')
    .groupBy('subject')
    .execute();
  const unblockedAt = new Map(unblocked.map(({ id, at }) => [id ?? '', Number(at)]));
  const tokens = db
    .selectFrom('tokens')
    .select(['name', 'hash', 'may', 'created_at', 'last_used_at', 'revoked_at'])
    .where('revoked_at', 'is not', null);
  const customers = db
    .selectFrom('customers')
    .select(['id', 'issuer', 'sub', 'email', 'is_email_verified', 'name', 'photo'])
    .select(['created_at', 'blocked_at', 'erased_at'])
    .where((is) =>
      is.or([
        is('blocked_at', 'is not', null),
        is('erased_at', 'is not', null),
        is('id', 'in', ['', ...unblockedAt.keys()]),
      ]),
    )
    .orderBy('id');
  const applied = db.selectFrom('kysely_migration').select(['name', 'timestamp']);
  return {
    unblockedAt,
    tokens: await tokens.execute(),
    customers: await customers.execute(),
    applied: await applied.execute(),
  };
}

type Customer = Exclude<Known, Unknown>['customers'][number];
type Token = Exclude<Known, Unknown>['tokens'][number];

/** Ends all sessions too. @param db a transaction in the restored database. */
export async function endAgain(db: Db, known: Known): Promise<Ended> {
  await db.deleteFrom('sessions').execute();
  const again: Reapplied = { revoked: [], erased: [], blocked: [], unblocked: [] };
  if (typeof known === 'string') return { again, unknown: reasons[known] };
  const applied = await listApplied(db);
  if (!applied.some(({ name }) => name === '0005-desk')) return { again, unknown: reasons.tooOld };
  const isSame = applied.some(({ name, timestamp }) =>
    known.applied.some((other) => other.name === name && other.timestamp === timestamp),
  );
  if (!isSame) return { again, unknown: reasons.another };
  for (const token of known.tokens) if (await revoke(db, token)) again.revoked.push(token.name);
  for (const customer of known.customers) {
    const { id, erased_at, blocked_at } = customer;
    if (erased_at !== null) {
      if (await erase(db, customer)) again.erased.push(id);
    } else if (blocked_at !== null) {
      if (await block(db, customer)) again.blocked.push(id);
    } else if (await unblock(db, customer, known.unblockedAt.get(id) ?? 0)) again.unblocked.push(id);
  }
  return { again, unknown: undefined };
}

async function revoke(db: Db, token: Token): Promise<boolean> {
  const { hash, name, revoked_at } = token;
  const own = await db.selectFrom('tokens').select('revoked_at').where('hash', '=', hash).executeTakeFirst();
  if (own?.revoked_at) return false;
  // A lost token's name may be another one's by now.
  const isTaken = await db.selectFrom('tokens').select('hash').where('name', '=', name).executeTakeFirst();
  await db
    .insertInto('tokens')
    .values({ ...token, name: isTaken ? `${name}.${hash}` : name })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ revoked_at }))
    .execute();
  return true;
}

/** As another issuer and subject: the person may have become a new customer since. */
async function erase(db: Db, customer: Customer): Promise<boolean> {
  const { id, erased_at } = customer;
  const nobody = {
    issuer: '',
    sub: id,
    email: '',
    is_email_verified: 0,
    name: '',
    photo: '',
    blocked_at: null,
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('customers')
    .values({ ...customer, ...nobody })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ issuer: '', sub: id, erased_at })
        .where('customers.erased_at', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Who came after the backup is added: a sign-in would make them anew, without the block. One with this id is erased already. */
async function block(db: Db, customer: Customer): Promise<boolean> {
  const { issuer, sub, blocked_at } = customer;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('customers')
    .values(customer)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows) return true;
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set({ blocked_at })
    .where('issuer', '=', issuer)
    .where('sub', '=', sub)
    .where('blocked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** By the trail: the replaced database may be the older one, and the block newer than it. */
async function unblock(db: Db, { issuer, sub }: Customer, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set({ blocked_at: null })
    .where('issuer', '=', issuer)
    .where('sub', '=', sub)
    .where('blocked_at', '<=', at)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Finishes what was ended, where the backup is of this version: erasing takes its tables. @returns what is left to do. */
export async function finishEnded(
  db: Db,
  { again }: Ended,
  finish: RestoreOptions['finish'],
): Promise<string[]> {
  const isOfThisVersion = (await listApplied(db)).length === Object.keys(migrations).length;
  if (isOfThisVersion) await finish(db, again);
  if (isOfThisVersion || again.erased.length === 0) return [];
  return [
    'The backup is of an older version: the next start of the store removes the erased customers’ data.',
  ];
}
