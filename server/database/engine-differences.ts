/** What must be said differently to each engine; nothing else knows which one it speaks to. */

import { type AliasedRawBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Db } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: Kysely's type is invariant, and the tables do not matter here.
const isPostgres = (db: Kysely<any>) => db.getExecutor().adapter instanceof PostgresAdapter;

export const columnTypes = (db: Kysely<unknown>) => ({
  /** Text that is compared byte by byte on both engines, whatever language the database was made for. */
  text: isPostgres(db) ? sql`text collate "C"` : ('text' as const),
  bytes: isPostgres(db) ? ('bytea' as const) : ('blob' as const),
  /** A number that the database counts up, to be made the primary key. */
  counted: isPostgres(db) ? ('bigserial' as const) : ('integer' as const),
});

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

/** Lets PostgreSQL tell every listening node of a committed change. SQLite's one file tells by itself. */
export async function announceChanges(db: Kysely<unknown>, table: string, channel: string): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`
    create function ${sql.ref(`announce_${table}`)}() returns trigger language plpgsql as ${sql.lit(
      `begin notify ${channel}; return null; end`,
    )}
  `.execute(db);
  await sql`
    create trigger ${sql.ref(`announce_${table}`)} after insert or update or delete or truncate on ${sql.table(table)}
    for each statement execute function ${sql.ref(`announce_${table}`)}()
  `.execute(db);
}

/** An index of `books.search_text` by which any three characters in a row are found. */
export async function indexSearchText(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create extension if not exists pg_trgm`.execute(db);
    await sql`
      create index books_for_sale_search on books using gin (search_text gin_trgm_ops) where removed_at is null
    `.execute(db);
    // From the usual hundred samples the planner can take a word of 30,000 books for a rare one, fetches and sorts them
    // all, and the search takes 64 ms instead of 1.5.
    await sql`alter table books alter column search_text set statistics 1000`.execute(db);
    return;
  }
  await sql`
    create virtual table books_search
    using fts5(search_text, content = '', tokenize = 'trigram case_sensitive 1')
  `.execute(db);
  // The index holds what is for sale: a removed book must cost a search nothing. Its numbers run backwards, since finds
  // come three times as fast in their rising order, and the newest books are wanted first.
  const forget = sql`insert into books_search (books_search, rowid, search_text) values ('delete', -old.seq, old.search_text)`;
  const learn = sql`insert into books_search (rowid, search_text) values (-new.seq, new.search_text)`;
  await sql`create trigger books_search_insert after insert on books when new.removed_at is null begin ${learn}; end`.execute(
    db,
  );
  await sql`create trigger books_search_forget after update of removed_at, search_text on books when old.removed_at is null begin ${forget}; end`.execute(
    db,
  );
  await sql`create trigger books_search_learn after update of removed_at, search_text on books when new.removed_at is null begin ${learn}; end`.execute(
    db,
  );
  await sql`create trigger books_search_delete after delete on books when old.removed_at is null begin ${forget}; end`.execute(
    db,
  );
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
