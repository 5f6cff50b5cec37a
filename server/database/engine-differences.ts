/** The queries that differ between SQLite and PostgreSQL. Besides them, only migrations depend on the engine. */

import { setTimeout as pause } from 'node:timers/promises';
import {
  type AliasedRawBuilder,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Db } from './tables.ts';

const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Waits until no other process migrates, to the end of the transaction. SQLite's transaction has the write lock
 * already. The number is that of Kysely's migrator, which older versions of the store use.
 */
export async function lockMigrations(db: Db): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db);
}

/**
 * Locks the rows of a query, which sorts them, until the end of the transaction. SQLite needs no locks of rows: one transaction
 * writes at a time.
 */
export const lockedInOrder = <Joined, Table extends keyof Joined, Row>(
  db: Db,
  query: SelectQueryBuilder<Joined, Table, Row>,
): SelectQueryBuilder<Joined, Table, Row> => (isPostgres(db) ? query.forUpdate() : query);

/**
 * Waits until no other import writes, to the end of the transaction: two would each add a book that neither finds. SQLite's
 * transaction has the write lock already.
 */
export async function lockImports(db: Db): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(3853314791062309108)`.execute(db);
}

/**
 * Whether the commits of SQLite's writing connection survive a power cut each, as they do by default, or only together with a
 * later one that does. A crash of the process loses none. It changes nothing on PostgreSQL.
 */
export async function setDurable(db: Db, isDurable: boolean): Promise<void> {
  if (isPostgres(db)) return;
  await sql`pragma synchronous = ${sql.raw(isDurable ? 'full' : 'normal')}`.execute(db);
}

/** Whether one transaction writes at a time, and all others wait for it. */
export const writesInTurn = (db: Db): boolean => !isPostgres(db);

const forgetAttempts = 25;
const forgetPauseMs = 200;

/**
 * Removes from the disk what SQLite's log still has of deleted and overwritten rows; in the file itself `secure_delete` has
 * done that. Somebody who reads meanwhile prevents it, so it is tried for some seconds, between which others write; after
 * that, the next call does it. PostgreSQL keeps such rows until a vacuum, and its log until it is recycled.
 */
export async function forgetDeletedText(db: Db): Promise<void> {
  if (isPostgres(db)) return;
  for (let attempt = 1; attempt <= forgetAttempts; attempt += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (!rows[0]?.busy) return;
    await pause(forgetPauseMs);
  }
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

/** Whether the database is a SQLite file. */
export const isOnSqlite = (db: Db): boolean => !isPostgres(db);

/**
 * The definitions of what migrations make, by name, without those of the tables that say which were applied. The definition of an
 * object that the store's statements may run has a line that begins with `trigger`, `rule`, `policy`, `function`, `view`, or `uses` for what its expressions name.
 */
export type SchemaOf = ReadonlyMap<string, string>;

/** @returns also what else is there. What the engine, its extensions and Litestream make by themselves is left out. */
export async function describeOwnSchema(db: Db): Promise<SchemaOf> {
  const { rows } = await ownSchemaQuery(db).execute(db);
  return new Map(rows.map(({ name, lines }) => [name, lines]));
}

/** Without parameters, so that psql can run it. */
export const ownSchemaQuery = (db: Db): RawBuilder<{ name: string; lines: string }> =>
  isPostgres(db)
    ? sql`
        with home as (
          select relnamespace as oid from pg_class where oid = to_regclass('books')
        ), own as (
          select pg_class.* from pg_class join home on relnamespace = home.oid
          where relkind <> 'c' and relkind <> 't' and relname !~ '^kysely_migration(_lock)?(_pkey)?$'
            and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
        ), objects as (
          -- The engine's own are not in it.
          select * from pg_depend where not exists (select from pg_depend as other where other.deptype = 'e'
            and other.classid = pg_depend.classid and other.objid = pg_depend.objid)
        ), lines as (
          select relname as name, concat_ws(' ', attname, format_type(atttypid, atttypmod), attcollation::regcollation,
              attnotnull, nullif(attstattarget, -1), regexp_replace(pg_get_expr(adbin, adrelid), '[a-z_0-9"]+\\.', '')) as line
            from own join pg_attribute on attrelid = own.oid
            left join pg_attrdef on adrelid = own.oid and adnum = attnum
            where relkind in ('r', 'p') and attnum > 0 and not attisdropped
          union all
          select relname, concat_ws(' ', conname, pg_get_constraintdef(pg_constraint.oid))
            from own join pg_constraint on conrelid = own.oid where contype in ('p', 'u', 'f', 'c')
          union all
          select relname, regexp_replace(pg_get_indexdef(oid), ' ON (ONLY )?\\S+ ', ' ') from own where relkind in ('i', 'I')
          union all
          select tgname, concat_ws(' ', 'trigger', relname, tgtype, tgenabled, prosrc)
            from pg_class join home on relnamespace = home.oid
            join pg_trigger on tgrelid = pg_class.oid join pg_proc on tgfoid = pg_proc.oid where not tgisinternal
          union all
          select rulename, concat_ws(' ', 'rule', relname, pg_get_ruledef(pg_rewrite.oid))
            from pg_class join home on relnamespace = home.oid
            join pg_rewrite on ev_class = pg_class.oid where rulename <> '_RETURN'
          union all
          select proname, concat_ws(' ', 'function', pg_get_function_identity_arguments(pg_proc.oid), prosrc)
            from pg_proc join home on pronamespace = home.oid
            where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
          union all
          select polname, concat_ws(' ', 'policy', relname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
            from pg_class join home on relnamespace = home.oid join pg_policy on polrelid = pg_class.oid
          union all
          select relname, 'row security' from own where relrowsecurity
          union all
          select pg_describe_object(classid, objid, 0), 'function'
            from objects join home on refobjid = home.oid where refclassid = 'pg_namespace'::regclass
              and classid in ('pg_operator'::regclass, 'pg_opclass'::regclass, 'pg_type'::regclass)
          union all
          select relname, 'uses ' || pg_describe_object(refclassid, refobjid, 0)
            from pg_class join home on relnamespace = home.oid join objects on (classid, objid) in (
              select 'pg_class'::regclass, pg_class.oid
              union all select 'pg_attrdef'::regclass, oid from pg_attrdef where adrelid = pg_class.oid
              union all select 'pg_constraint'::regclass, oid from pg_constraint where conrelid = pg_class.oid
            ) where refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass, 'pg_type'::regclass)
              and not exists (select from pg_depend as other where deptype = 'e'
                and other.classid = objects.refclassid and other.objid = objects.refobjid)
          union all
          select relname, case when relkind in ('v', 'm', 'f') then 'view' else '' end
            from own where relkind not in ('r', 'p', 'i', 'I')
        )
        select name, string_agg(line, E'\\n' order by line collate "C") as lines from lines group by name`
    : sql`
        select name, group_concat(type || ' ' || sql, char(10)) as lines from sqlite_schema
        where sql is not null and not (type = 'table'
          and (name in ('kysely_migration', 'kysely_migration_lock')
            or name like 'sqlite#_stat%' escape '#' or name like '#_litestream#_%' escape '#'))
        group by name`;

/** @returns what {@link describeOwnSchema} would of a database that is made so. PostgreSQL alone: nothing of it stays. */
export async function describeSchemaOf(db: Db, make: (db: Db) => Promise<void>): Promise<SchemaOf> {
  let described: SchemaOf = new Map();
  const rollBack = new Error('not to be committed');
  await db
    .transaction()
    .execute(async (db) => {
      await sql`create schema colophon_check`.execute(db);
      await sql`
        select set_config('search_path', 'colophon_check, ' || current_setting('search_path'), true)
      `.execute(db);
      await make(db);
      described = await describeOwnSchema(db);
      throw rollBack;
    })
    .catch((error: unknown) => {
      if (error !== rollBack) throw error;
    });
  return described;
}

/** @returns how many indexes PostgreSQL has of the store, and which of them it does not use because their making failed. */
export async function findBadIndexes(db: Db): Promise<{ count: number; bad: string[] }> {
  const { rows } = await sql<{ name: string; isValid: boolean }>`
    select indexrelid::regclass::text as name, indisvalid and indisready as "isValid"
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = (select relnamespace from pg_class where oid = to_regclass('books'))
  `.execute(db);
  return { count: rows.length, bad: rows.filter(({ isValid }) => !isValid).map(({ name }) => name) };
}

/**
 * Looks books for sale up in the index of the search, by the beginning of their search text; the index also has the length of
 * each text. Its whole would take ten times as long.
 * @returns the `seq` of those that it does not have. PostgreSQL's is an index of the table, which has each of its rows.
 */
export async function findUnindexed(
  db: Db,
  { first, last }: { first: number; last: number },
): Promise<number[]> {
  if (isPostgres(db)) return [];
  // A text of fewer than three characters has nothing to index.
  const { rows } = await sql<{ seq: number; length: number; size: Uint8Array | null; isFound: number }>`
    select seq, length(search_text) as length, entry.sz as size, length(search_text) < 3 or exists (
      select 1 from books_search
      where books_search match '"' || substr(books.search_text, 1, 8) || '"' and books_search.rowid = -books.seq
    ) as "isFound"
    from books left join books_search_docsize as entry on entry.id = -seq
    where seq between ${first} and ${last} and removed_at is null
  `.execute(db);
  return rows
    .filter(
      ({ length, size, isFound }) => !isFound || size === null || readSize(size) !== Math.max(0, length - 2),
    )
    .map(({ seq }) => seq);
}

/** @returns the number of a SQLite varint: seven bits of each byte, the highest first. */
const readSize = (bytes: Uint8Array): number => bytes.reduce((size, byte) => size * 128 + (byte & 127), 0);

/** @returns the `seq` of up to a hundred entries of SQLite's index of the search whose book is not for sale. */
export async function listOrphansOfSearch(db: Db): Promise<number[]> {
  if (isPostgres(db)) return [];
  const { rows } = await sql<{ seq: number }>`
    select -entry.id as seq from books_search_docsize as entry
    where not exists (select 1 from books where seq = -entry.id and removed_at is null) limit 100
  `.execute(db);
  return rows.map(({ seq }) => seq);
}

/** The SQL type of each field of an item. */
export type ItemColumns = Readonly<Record<string, 'text' | 'bigint'>>;
export type ItemOf<Columns extends ItemColumns> = {
  [Name in keyof Columns]: (Columns[Name] extends 'bigint' ? number : string) | null;
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

/** A search by the index of the search text. */
export type TextSearch = {
  /** See `searchPatterns`; a match has all of them. Each costs a read of the index, so they should be few. */
  patterns: readonly string[];
  /** At least 1. No more than this number of books and one are read. */
  max: number;
};

/** Whether {@link findMatches} finds the newest books first. */
export const findsNewestFirst = (db: Db): boolean => !isPostgres(db);

/**
 * @returns how many books PostgreSQL's planner expects to match. It knows how common each word is, but not which ones come
 * together. On SQLite 0: it has no estimate, and {@link findMatches} soon stops where there are many.
 */
export async function estimateMatches(db: Db, search: TextSearch): Promise<number> {
  if (!isPostgres(db)) return 0;
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${matchingByTrigrams(search)} ${planEachTime}
  `.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/** The matches of a {@link TextSearch}. */
export type Matches = {
  /** At most one more than the `max` of the search. */
  count: number;
  /** For {@link itemTable}: a JSON array of objects with the `seq` of each match. */
  items: string;
};

/**
 * Finds books for sale.
 * @param afterSeq only books with a lower `seq`, on an engine that finds the newest books first.
 */
export async function findMatches(db: Db, search: TextSearch, afterSeq?: number): Promise<Matches> {
  const limit = search.max + 1;
  const found = isPostgres(db)
    ? // Materialized, because it is then planned as if all matches were read, which takes the index of the text. For the
      // first ones the planner may read the whole table, if it expects them soon.
      sql<Matches>`
        with matching as materialized (${matchingByTrigrams(search)})
        select count(*) as count, coalesce(json_agg(json_build_object('seq', seq)), '[]')::text as items
        from (select seq from matching limit ${limit}) as found ${planEachTime}
      `
    : // FTS5 compares `rowid` with integers only, and the driver binds every number as a real.
      sql<Matches>`
        select count(*) as count, json_group_array(json_object('seq', -rowid)) as items from (
          select rowid from books_search
          where books_search match ${search.patterns.map((pattern) => `"${pattern}"`).join(' ')}
            and rowid > cast(${-(afterSeq ?? Number.MAX_SAFE_INTEGER)} as integer)
          order by rowid limit ${limit}
        )
      `;
  return (await found.execute(db)).rows[0] ?? { count: 0, items: '[]' };
}

/**
 * The condition that a book has all of these patterns, for books that are found in another way than by the index of the
 * text. `coalesce` hides it from PostgreSQL's planner, which takes it for one that half of the books meet: so it reads
 * them in the requested order, as far as it must. SQLite would then compare every pattern with every book.
 */
export function hasPatterns(db: Db, patterns: readonly string[]): RawBuilder<boolean> {
  if (patterns.length === 0) return sql.lit(true);
  const all = sql.join(likeAll(patterns), sql` and `);
  return isPostgres(db) ? sql`coalesce(${all}, false)` : sql`(${all})`;
}

const likeAll = (patterns: readonly string[]) =>
  patterns.map((pattern) => sql`search_text like ${`%${pattern}%`}`);

const matchingByTrigrams = ({ patterns }: TextSearch) =>
  sql`select seq from books where removed_at is null and ${sql.join(likeAll(patterns), sql` and `)}`;

/** How many books a search may read in the requested order, so that its statements take some milliseconds. */
export type ReadableBooks = {
  newestFirst: number;
  byTitleOrPrice: number;
};

/**
 * @returns the limits. Newest first, the rows of the table are neighbours: with a million books, a small core of 2026 reads
 * 20,000 in 4 ms on SQLite and in 15 ms on PostgreSQL. In the other orders SQLite reads 40,000 entries of an index that has
 * the search text, in 9 ms; PostgreSQL reads rows that are anywhere in the table, 8,000 in 18 ms.
 */
export const readableBooks = (db: Db): ReadableBooks =>
  isPostgres(db)
    ? { newestFirst: 20_000, byTitleOrPrice: 8_000 }
    : { newestFirst: 20_000, byTitleOrPrice: 40_000 };

/** Whether rows are locked, so that a query may have to pass over those of another transaction. SQLite has one writer at a time. */
export const locksRows = (db: Db): boolean => isPostgres(db);
