/**
 * A restore ends again what was ended since the backup, such as a token: it reads this from the replaced database, before a store can
 * open the restored one. An erasure is only marked, and the sweep finishes it. Rows that the backup lacks are added too: a later restore of a
 * newer backup needs them.
 */

import { sql } from 'kysely';
import { type AppliedMigration, listApplied } from '../migrate.ts';
import type { Db } from '../tables.ts';
import { listOf, type Row } from './copy-rows.ts';
import type { Counts } from './store-file.ts';

const columnsOfCustomers = [
  ...['id', 'issuer', 'sub', 'email', 'is_email_verified', 'name', 'photo'],
  ...['created_at', 'blocked_at', 'erased_at'],
];

/** The first column names the row. Erasures come before blocks: an erased customer who came back has a new row with the same issuer and subject. */
const acts = [
  {
    kind: 'revoked',
    table: 'tokens',
    columns: ['name', 'hash', 'may', 'created_at', 'last_used_at', 'revoked_at'],
    isEnded: sql`revoked_at is not null`,
    onConflict: sql`(hash) do update set revoked_at = excluded.revoked_at where revoked_at is null`,
  },
  {
    kind: 'erased',
    table: 'customers',
    columns: columnsOfCustomers,
    isEnded: sql`erased_at is not null`,
    onConflict: sql`(id) do update set issuer = '', sub = id, erased_at = excluded.erased_at where erased_at is null`,
  },
  {
    kind: 'blocked',
    table: 'customers',
    columns: columnsOfCustomers,
    isEnded: sql`blocked_at is not null and erased_at is null`,
    onConflict: sql`(issuer, sub) do update set blocked_at = excluded.blocked_at where blocked_at is null`,
  },
] as const;

type Act = (typeof acts)[number];

export type Reapplied = Record<Act['kind'], string[]>;

export type Restored = Counts & { again: Reapplied; notes: string[] };

/** Makes the file of the restored store. @param known undefined: no database was replaced, or it cannot be read. */
export type MakeStore = (part: string, known: Known | undefined) => Promise<Restored>;

export type Known = { applied: AppliedMigration[]; rows: Map<Act, Row[]> };

/** @param replaced is read outside a transaction, because it may be damaged. @returns undefined for a database that cannot be read. */
export async function readKnown(replaced: Db): Promise<Known | undefined> {
  try {
    const known: Known = { applied: await listApplied(replaced), rows: new Map() };
    for (const act of acts) {
      const { table, columns, isEnded } = act;
      const query = sql<Row>`select ${listOf(columns)} from ${sql.table(table)} where ${isEnded} order by 1`;
      known.rows.set(act, (await query.execute(replaced)).rows);
    }
    return known;
  } catch {
    return undefined;
  }
}

/** Ends all sessions, and ends again what `known` has. @param db the restored database, on SQLite. */
export async function endAgain(
  db: Db,
  known: Known | undefined,
): Promise<{ again: Reapplied; isKnown: boolean }> {
  await db.deleteFrom('sessions').execute();
  const again: Reapplied = { revoked: [], erased: [], blocked: [] };
  const applied = await listApplied(db);
  const isSameStore = known?.applied.some(({ name, timestamp }) =>
    applied.some((other) => other.name === name && other.timestamp === timestamp),
  );
  if (!known || !isSameStore) return { again, isKnown: false };
  for (const [{ kind, table, columns, onConflict }, rows] of known.rows) {
    for (const row of rows) {
      const { numAffectedRows } = await sql`
        insert into ${sql.table(table)} (${listOf(columns)}) values (${sql.join(columns.map((column) => row[column]))})
        on conflict ${onConflict} on conflict do nothing
      `.execute(db);
      if (numAffectedRows) again[kind].push(String(row[columns[0] ?? '']));
    }
  }
  return { again, isKnown: true };
}
