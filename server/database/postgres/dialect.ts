import { PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { type Engine, type ItemColumns, type ItemOf, likeAll } from '../engine.ts';
import type { Db } from '../tables.ts';

/** Takes the lock of Kysely's migrator until the end of the transaction; a starting node waits for it. @returns false if it is taken. */
export async function tryLockMigrations(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(3853314791062309107) as "isFree"
  `.execute(db);
  return rows[0]?.isFree ?? false;
}

const sampleSize = 2_000;

const engine: Engine = {
  name: 'postgres',
  async lockImports(db) {
    await sql`select pg_advisory_xact_lock(3853314791062309108)`.execute(db);
  },
  lockedInOrder: (query, of) => query.forUpdate(of),
  locksRows: true,
  async forgetDeletedText() {},

  itemTable<Columns extends ItemColumns>(rows: readonly object[], columns: Columns) {
    const types = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql<ItemOf<Columns>>`json_to_recordset(${JSON.stringify(rows)}::json)`.as(
      sql`item(${sql.join(types)})`,
    );
  },

  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = to_regclass(${table})
    `.execute(db);
    return rows.map(({ name }) => name);
  },

  /** An index whose creation failed still exists, but is not used. */
  async checkIntegrity(db) {
    const { rows } = await sql<{ name: string; isValid: boolean }>`
      select indexrelid::regclass::text as name, indisvalid and indisready as "isValid"
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = (select relnamespace from pg_class where oid = to_regclass('books'))
    `.execute(db);
    const bad = rows.filter(({ isValid }) => !isValid);
    const faults = bad.map(
      ({ name }) => `The index ${name} is not valid: \`reindex index ${name}\` makes it anew.`,
    );
    return { count: rows.length, unit: 'index', faults };
  },

  async findMatches(db, patterns, max) {
    const isMatch = likeAll(patterns);
    // If many of the newest books match, the index is not used: it would collect all matches, even with a limit.
    const { rows: sample } = await sql<{ isMany: boolean }>`
      select count(*) filter (where ${isMatch}) * (select reltuples from pg_class where oid = 'books'::regclass)
        > ${max} * count(*) as "isMany"
      from (select search_text from books where removed_at is null order by seq desc limit ${sampleSize}) as newest
    `.execute(db);
    if (sample[0]?.isMany) return undefined;
    // `materialized` makes the planner expect a read of all matches, for which it uses the index of the text. With a limit it might read
    // the whole table, if it expects matches soon.
    const { rows } = await sql<{ seq: number }>`
      with matching as materialized (select seq from books where removed_at is null and ${isMatch})
      select seq from matching limit ${max + 1}
    `.execute(db);
    return rows.length > max ? undefined : rows;
  },

  /**
   * `coalesce` hides the condition from the planner, which takes it for one that half of the books meet: so it reads them in the
   * requested order, as far as it must. SQLite would then compare every pattern with every book.
   */
  hasPatterns: (patterns) =>
    patterns.length === 0 ? sql.lit(true) : sql`coalesce(${likeAll(patterns)}, false)`,
};

class StoreAdapter extends PostgresAdapter {
  readonly engine = engine;
}

export class StoreDialect extends PostgresDialect {
  override createAdapter = () => new StoreAdapter();
}
