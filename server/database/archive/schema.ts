/** Compares the tables, indexes, triggers, views, rules and functions of a database with those that migrations make. */

import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { engineOf } from '../engine.ts';
import { type AppliedMigration, makeTables } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Db } from '../tables.ts';
import { onConnection } from './one-connection.ts';

/** The objects of a database, without those that the engines, their extensions and Litestream make. `lines`: the kind and the definition. */
const objects = {
  sqlite: sql<{ name: string; lines: string }>`
    select name, group_concat(type || ' ' || sql, char(10)) as lines from sqlite_schema
    where sql is not null and not (type = 'table'
      and (name in ('kysely_migration', 'kysely_migration_lock')
        or name like 'sqlite#_stat%' escape '#' or name like '#_litestream#_%' escape '#'))
    group by name`,
  postgres: sql<{ name: string; lines: string }>`
    with home as (
      select relnamespace as oid from pg_class where oid = to_regclass('books')
    ), lines as (
      select relname as name, concat_ws(' ', relkind, string_agg(attname, ' ' order by attname)) as line
        from pg_class join home on relnamespace = home.oid left join pg_attribute on attrelid = pg_class.oid
          and attnum > 0 and not attisdropped
        where relkind not in ('c', 't') and relname !~ '^kysely_migration(_lock)?(_pkey)?$'
          and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') group by pg_class.oid
      union all
      select tgname, concat_ws(' ', 'trigger', relname, tgtype, tgenabled, prosrc)
        from pg_class join home on relnamespace = home.oid
        join pg_trigger on tgrelid = pg_class.oid join pg_proc on tgfoid = pg_proc.oid where not tgisinternal
      union all
      select rulename, 'rule' from pg_class join home on relnamespace = home.oid
        join pg_rewrite on ev_class = pg_class.oid where rulename <> '_RETURN'
      union all
      select proname, concat_ws(' ', 'function', prosrc) from pg_proc join home on pronamespace = home.oid
        where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    )
    select name, string_agg(line, E'\\n' order by line collate "C") as lines from lines group by name`,
};

type Schema = ReadonlyMap<string, string>;

async function describe(db: Db): Promise<Schema> {
  const { rows } = await objects[engineOf(db).name].execute(db);
  return new Map(rows.map(({ name, lines }) => [name, lines]));
}

/** @returns what the migrations make in an empty database. Nothing of it stays. */
async function describeMade(db: Db, applied: readonly AppliedMigration[]): Promise<Schema> {
  if (engineOf(db).name === 'sqlite') {
    const made = onConnection(new DatabaseSync(':memory:'));
    await makeTables(made, migrations, applied);
    return await describe(made).finally(() => made.destroy());
  }
  const transaction = await db.startTransaction().execute();
  try {
    await sql`create schema colophon_check`.execute(transaction);
    await sql`
      select set_config('search_path', 'colophon_check, ' || current_setting('search_path'), true)
    `.execute(transaction);
    await makeTables(transaction, migrations, applied);
    return await describe(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

/** `lines`: of the database, or of the migrations where the database lacks it. */
type Difference = { sentence: string; isMissing: boolean; lines: string };

/** @returns how many things the migrations make, and each difference from them. */
export async function compareSchema(
  db: Db,
  applied: readonly AppliedMigration[],
): Promise<{ made: number; differences: Difference[] }> {
  const [expected, actual] = [await describeMade(db, applied), await describe(db)];
  const differences: Difference[] = [];
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    const [own, lines] = [expected.get(name), actual.get(name)];
    if (own === lines) continue;
    const fault = own === undefined ? 'was not made by the store' : 'is not as the migrations make it';
    differences.push({
      sentence: `${name} ${lines === undefined ? 'is missing' : fault}.`,
      isMissing: lines === undefined,
      lines: lines ?? own ?? '',
    });
  }
  return { made: expected.size, differences };
}
