/** Compares the names of what a database has with those of what the migrations make. */

import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { engineOf } from '../engine.ts';
import { type AppliedMigration, makeTables } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import type { Db } from '../tables.ts';
import { onConnection } from './one-connection.ts';

type Named = { kind: string; name: string };

/** Without what the engines, their extensions, the migrator and Litestream make. */
const objects = {
  sqlite: sql<Named>`
    with own as (
      select type, name from sqlite_schema where sql is not null
        and not (type = 'table' and (name like 'kysely#_%' escape '#' or name like 'sqlite#_stat%' escape '#'
          or name like '#_litestream#_%' escape '#'))
    )
    select type as kind, name from own union all
    select 'column', own.name || '.' || columns.name from own join pragma_table_info(own.name) as columns
      where own.type = 'table'`,
  postgres: sql<Named>`
    with home as (
      select relnamespace as oid from pg_class where oid = to_regclass('books')
    ), own as (
      select pg_class.oid, relname, relkind from pg_class join home on relnamespace = home.oid
      where relkind not in ('c', 't') and relname !~ '^kysely_'
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    )
    select relkind::text as kind, relname as name from own union all
    select 'column', relname || '.' || attname from own join pg_attribute on attrelid = own.oid
      where relkind = 'r' and attnum > 0 and not attisdropped union all
    select 'trigger', tgname from own join pg_trigger on tgrelid = own.oid
      where not tgisinternal and tgenabled <> 'D' union all
    select 'rule', rulename from own join pg_rewrite on ev_class = own.oid where rulename <> '_RETURN' union all
    select 'function', proname from pg_proc join home on pronamespace = home.oid
      where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
};

async function list(db: Db): Promise<Map<string, string>> {
  const { rows } = await objects[engineOf(db).name].execute(db);
  return new Map(rows.map(({ kind, name }) => [`${kind} ${name}`, name]));
}

/** In an empty database, of which nothing stays. */
async function listMade(db: Db, applied: readonly AppliedMigration[]): Promise<Map<string, string>> {
  if (engineOf(db).name === 'sqlite') {
    const made = onConnection(new DatabaseSync(':memory:'));
    await makeTables(made, migrations, applied);
    return await list(made).finally(() => made.destroy());
  }
  const transaction = await db.startTransaction().execute();
  try {
    await sql`create schema colophon_check`.execute(transaction);
    await sql`
      select set_config('search_path', 'colophon_check, ' || current_setting('search_path'), true)
    `.execute(transaction);
    await makeTables(transaction, migrations, applied);
    return await list(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

/** @returns how many things the migrations make, and a sentence for each difference from them. */
export async function compareSchema(
  db: Db,
  applied: readonly AppliedMigration[],
): Promise<{ made: number; faults: string[] }> {
  const [made, own] = [await listMade(db, applied), await list(db)];
  const only = (some: Map<string, string>, others: Map<string, string>) =>
    [...some].filter(([key]) => !others.has(key)).map(([, name]) => name);
  return {
    made: [...made.keys()].filter((key) => !key.startsWith('column ')).length,
    faults: [
      ...only(made, own).map((name) => `${name} is missing.`),
      ...only(own, made).map((name) => `${name} was not made by the store.`),
    ],
  };
}
