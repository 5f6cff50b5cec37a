/**
 * A restore must not bring back what was ended since the backup: tokens that were revoked, customers who were blocked or erased. The
 * replaced database knows them, and customers who were unblocked. These statements apply it to the restored one before a store can
 * open it. An erasure is marked only: whatever finishes interrupted erasures does the rest (customers/erase-customer.ts). Rows that the
 * backup lacks are added, ended: the next restore may be of a newer backup, which has them.
 */

import type { Db } from '../tables.ts';
import type { Counts, OnStep } from './counts.ts';

/** Names of tokens, and ids of customers. */
export type Reapplied = Record<'revoked' | 'erased' | 'blocked' | 'unblocked', string[]>;

/** The migration that brought tokens, blocks and erasures. */
const since = '0005-desk';
export const knowsEnded = (migrations: readonly { name: string }[]): boolean =>
  migrations.some(({ name }) => name === since);

const tokenColumns = 'name, hash, may, created_at, last_used_at, revoked_at';
const customerColumns =
  'id, issuer, sub, email, is_email_verified, name, photo, created_at, blocked_at, erased_at';

/** All that the statements read of the replaced database, by table. */
export const readQueries = {
  kysely_migration: 'select name, timestamp from kysely_migration',
  tokens: `select ${tokenColumns} from tokens where revoked_at is not null`,
  activity: "select action, subject, at from activity where action = 'customer-unblocked'",
  customers: `select ${customerColumns} from customers
    where blocked_at is not null or erased_at is not null
      or id in (select subject from activity where action = 'customer-unblocked')`,
};

/**
 * The statements, in the SQL of both engines. Each returns a line for {@link readReapplied} for each row that it changes.
 * @param replaced the schema of the replaced database.
 */
export function reapplyStatements(replaced: string): string[] {
  // A copy of a database has its migrations of the same moments.
  const isSame = `exists (select 1 from kysely_migration as own join ${replaced}.kysely_migration as other
    on other.name = own.name and other.timestamp = own.timestamp)`;
  return [
    `select 'again same store' as line where ${isSame}`,
    `update tokens set revoked_at = (select revoked_at from ${replaced}.tokens as other where other.hash = tokens.hash)
      where revoked_at is null and ${isSame}
        and hash in (select hash from ${replaced}.tokens where revoked_at is not null)
      returning 'again revoked ' || name as line`,
    // A lost token's name may be another one's by now.
    `insert into tokens (${tokenColumns})
      select case when exists (select 1 from tokens where tokens.name = other.name) then name || '.' || hash else name end,
        hash, may, created_at, last_used_at, revoked_at
      from ${replaced}.tokens as other
      where revoked_at is not null and ${isSame} and not exists (select 1 from tokens where tokens.hash = other.hash)
      returning 'again revoked ' || name as line`,
    // As another issuer and subject: the person may have become a new customer since.
    `update customers set issuer = '', sub = id,
        erased_at = (select erased_at from ${replaced}.customers as other where other.id = customers.id)
      where erased_at is null and ${isSame}
        and id in (select id from ${replaced}.customers where erased_at is not null)
      returning 'again erased ' || id as line`,
    `insert into customers (${customerColumns})
      select id, '', id, '', 0, '', '', created_at, null, erased_at from ${replaced}.customers as other
      where erased_at is not null and ${isSame} and not exists (select 1 from customers where customers.id = other.id)
      returning 'again erased ' || id as line`,
    `update customers set blocked_at = (select blocked_at from ${replaced}.customers as other
        where other.issuer = customers.issuer and other.sub = customers.sub)
      where blocked_at is null and ${isSame} and exists (select 1 from ${replaced}.customers as other
        where other.issuer = customers.issuer and other.sub = customers.sub and other.blocked_at is not null)
      returning 'again blocked ' || id as line`,
    // Customers who came after the backup: a sign-in would make them anew, without the block.
    `insert into customers (${customerColumns}) select ${customerColumns} from ${replaced}.customers as other
      where blocked_at is not null and erased_at is null and ${isSame} and not exists (select 1 from customers
        where customers.id = other.id or (customers.issuer = other.issuer and customers.sub = other.sub))
      returning 'again blocked ' || id as line`,
    // By the trail: the replaced database may be the older one, and the block newer than it.
    `update customers set blocked_at = null
      where blocked_at is not null and ${isSame} and exists (select 1 from ${replaced}.customers as other
        join ${replaced}.activity as entry on entry.subject = other.id
        where entry.action = 'customer-unblocked' and entry.at >= customers.blocked_at
          and other.issuer = customers.issuer and other.sub = customers.sub and other.blocked_at is null)
      returning 'again unblocked ' || id as line`,
  ];
}

/** For the operator: erasing takes the tables of this version. */
export const unfinishedErasures =
  'The backup is of an older version: the next start of the store removes the erased customers’ data.';

export const nothingReapplied = (): Reapplied => ({ revoked: [], erased: [], blocked: [], unblocked: [] });

const line = /^again (same|revoked|erased|blocked|unblocked) (.+)$/;

/** @param lines of the statements, among others. */
export function readReapplied(lines: readonly string[]): Ended {
  const again = nothingReapplied();
  let isSame = false;
  for (const text of lines) {
    const [, kind, subject = ''] = line.exec(text) ?? [];
    if (kind === 'same') isSame = true;
    else if (kind !== undefined) again[kind as keyof Reapplied].push(subject);
  }
  return isSame ? { again, unknown: undefined } : { again, unknown: 'another' };
}

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
    /** A sentence for each difference of the schema that no statement of the store runs, and for what is left to do. */
    notes: string[];
  };
