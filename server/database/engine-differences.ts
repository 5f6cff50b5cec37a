/** The queries that differ between SQLite and PostgreSQL. Besides them, only migrations depend on the engine. */

import { type AliasedRawBuilder, PostgresAdapter, sql } from 'kysely';
import type { Db } from './tables.ts';

const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Waits until no other process migrates, to the end of the transaction. SQLite's transaction has the write lock
 * already. The number is that of Kysely's migrator, which older versions of the store use.
 */
export async function lockMigrations(db: Db): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db);
}

/** @returns the names of a table's columns; none if there is no such table. */
export async function listColumns(db: Db, table: string): Promise<string[]> {
  const columns = isPostgres(db)
    ? sql<{ name: string }>`select attname as name from pg_attribute where attrelid = to_regclass(${table})`
    : sql<{ name: string }>`select name from pragma_table_info(${table})`;
  return (await columns.execute(db)).rows.map(({ name }) => name);
}

/**
 * @param names of tables, indexes and triggers; of a table its constraints are described too.
 * @returns their definitions, in any order, and the same on every version of the engine.
 */
export async function describeSchema(db: Db, names: readonly string[]): Promise<string[]> {
  const named = sql.join(names);
  const definitions = isPostgres(db)
    ? sql<{ definition: string }>`
        with named as (select * from pg_class where relname in (${named}) and pg_table_is_visible(oid))
        select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull,
            atthasdef, nullif(attstattarget, -1)) as definition
          from named join pg_attribute on attrelid = named.oid
          where relkind = 'r' and attnum > 0 and not attisdropped
        union all
        select concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid))
          from named join pg_constraint on conrelid = named.oid where contype <> 'n'
        union all
        select regexp_replace(pg_get_indexdef(oid), ' ON \\S+ ', ' ') from named where relkind = 'i'
        union all
        select concat_ws(' ', tgname, tgtype, prosrc)
          from named join pg_trigger on tgrelid = named.oid join pg_proc on tgfoid = pg_proc.oid
          where tgname in (${named})`
    : sql<{ definition: string }>`select sql as definition from sqlite_schema where name in (${named})`;
  return (await definitions.execute(db)).rows.map(({ definition }) => definition);
}

/** The SQL type of each field of an item. */
export type ItemColumns = Readonly<Record<string, 'text' | 'bigint'>>;
export type ItemOf<Columns extends ItemColumns> = {
  [Name in keyof Columns]: Columns[Name] extends 'bigint' ? number : string | null;
};
/** A table of items, for `from` and joins, under the name `item`. */
export type ItemTable<Columns extends ItemColumns> = AliasedRawBuilder<ItemOf<Columns>, 'item'>;

/**
 * Makes the objects of a JSON array the rows of a table named `item`.
 * @param json the array's text.
 */
export function itemTable<Columns extends ItemColumns>(
  db: Db,
  json: string,
  columns: Columns,
): ItemTable<Columns> {
  const names = Object.entries(columns);
  if (isPostgres(db)) {
    const types = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<ItemOf<Columns>>`json_to_recordset(${json}::json)`.as(sql`item(${sql.join(types)})`);
  }
  const values = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql<ItemOf<Columns>>`(select ${sql.join(values)} from json_each(${json}))`.as('item');
}

/** Ends the text of a query that PostgreSQL must not prepare, see {@link planEachTime}. */
export const planEachTimeComment = '/* plan each time */';

/**
 * For `modifyEnd` of a query that must be planned each time it runs. A prepared plan must suit all values, so it
 * cannot use the index that a rare word of a search needs.
 */
export const planEachTime = sql.raw(planEachTimeComment);

/** With fewer matches than this, sorting them is cheaper than filtering all books in the requested order. */
const manyMatches = 2_000;

/**
 * Chooses how a search runs. `full-text` joins SQLite's table `books_search`, which yields its matches newest first.
 * `filter` compares `search_text` by `like`: PostgreSQL's planner then chooses between the index of the text and that
 * of the order; on SQLite it serves the other orders when so many books match that a page is soon full.
 * @param phrases an FTS5 query.
 */
export async function searchPlan(
  db: Db,
  phrases: string,
  isNewestFirst: boolean,
): Promise<'full-text' | 'filter'> {
  if (isPostgres(db)) return 'filter';
  if (isNewestFirst) return 'full-text';
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from (select 1 from books_search where books_search match ${phrases} limit ${manyMatches})
  `.execute(db);
  return rows[0]?.matches === manyMatches ? 'filter' : 'full-text';
}
