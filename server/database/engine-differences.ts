/** The queries that differ between SQLite and PostgreSQL. Besides them, only migrations depend on the engine. */

import { type AliasedRawBuilder, PostgresAdapter, sql } from 'kysely';
import type { Db } from './tables.ts';

const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter;

/** The SQL type of each field of an item. */
export type ItemColumns<Item> = { readonly [Name in keyof Item]: 'text' | 'bigint' };
/** A table of items, for `from` and joins, under the name `item`. */
export type ItemTable<Item> = AliasedRawBuilder<Item, 'item'>;

/**
 * Makes the objects of a JSON array the rows of a table named `item`.
 * @param json the array's text.
 */
export function itemTable<Item>(db: Db, json: string, columns: ItemColumns<Item>): ItemTable<Item> {
  const names = Object.entries<string>(columns);
  if (isPostgres(db)) {
    const types = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<Item>`json_to_recordset(${json}::json)`.as(sql`item(${sql.join(types)})`);
  }
  const values = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql<Item>`(select ${sql.join(values)} from json_each(${json}))`.as('item');
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
