import { sql } from 'kysely';
import { engineOf } from '../engine.ts';
import { type AppliedMigration, makeTables } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import type { Db } from '../tables.ts';
import { withFile } from './store-file.ts';

/** Leaves out what the engines, their extensions, the migrator and Litestream make. The name of a column follows that of its table. */
const objects = {
  sqlite: sql<{ name: string }>`
    with own as (
      select type, name from sqlite_schema where sql is not null
        and not (type = 'table' and (name like 'kysely#_%' escape '#' or name like 'sqlite#_stat%' escape '#'
          or name like '#_litestream#_%' escape '#'))
    )
    select case type when 'trigger' then 'trigger ' else '' end || name as name from own union all
    select own.name || '.' || columns.name from own join pragma_table_info(own.name) as columns
      where own.type = 'table'`,
  postgres: sql<{ name: string }>`
    with home as (
      select relnamespace as oid from pg_class where oid = to_regclass('books')
    ), own as (
      select pg_class.oid, relname, relkind from pg_class join home on relnamespace = home.oid
      where relkind not in ('c', 't') and relname !~ '^kysely_'
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    )
    select relname as name from own union all
    select relname || '.' || attname from own join pg_attribute on attrelid = own.oid
      where relkind = 'r' and attnum > 0 and not attisdropped union all
    select 'trigger ' || tgname from own join pg_trigger on tgrelid = own.oid
      where not tgisinternal and tgenabled <> 'D' union all
    select 'rule ' || rulename from own join pg_rewrite on ev_class = own.oid where rulename <> '_RETURN' union all
    select proname || '()' from pg_proc join home on pronamespace = home.oid
      where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
};

async function list(db: Db): Promise<Set<string>> {
  const { rows } = await objects[engineOf(db).name].execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function listMade(db: Db, applied: readonly AppliedMigration[]): Promise<Set<string>> {
  if (engineOf(db).name === 'sqlite') {
    return await withFile(':memory:', {}, async (made) => {
      await makeTables(made, migrations, applied);
      return await list(made);
    });
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

export async function compareSchema(
  db: Db,
  applied: readonly AppliedMigration[],
): Promise<{ made: number; faults: string[] }> {
  const [made, own] = [await listMade(db, applied), await list(db)];
  const missing = [...made].filter((name) => !own.has(name)).map((name) => `${name} is missing.`);
  const foreign = [...own]
    .filter((name) => !made.has(name))
    .map((name) => `${name} was not made by the store.`);
  return { made: [...made].filter((name) => !name.includes('.')).length, faults: [...missing, ...foreign] };
}
