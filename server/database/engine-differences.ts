/** What must be said differently to each engine; nothing else knows which one it speaks to. */

import { type AliasedRawBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Db } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: Kysely's type is invariant, and the tables do not matter here.
const isPostgres = (db: Kysely<any>) => db.getExecutor().adapter instanceof PostgresAdapter;

export type ItemColumns<Item> = { readonly [Name in keyof Item]: 'text' | 'bigint' };
export type ItemTable<Item> = AliasedRawBuilder<Item, 'item'>;

/**
 * A table named `item` of what a JSON array of objects holds.
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
 * For `modifyEnd` of a query that must be planned each time it runs. A prepared plan suits any values, and so cannot use the
 * index that a rare word of a search needs.
 */
export const planEachTime = sql.raw(planEachTimeComment);

/** Up to here it is cheaper to sort what was found than to look for it along the order of the shelf. */
const manyMatches = 2_000;

/**
 * How a search is best carried out. `full-text` joins SQLite's table `books_search`, which yields its finds newest first;
 * `filter` compares `search_text` by `like`: PostgreSQL's planner then chooses between its index and the order's, and on
 * SQLite it is what serves another order when so many books match that a page is soon full.
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
