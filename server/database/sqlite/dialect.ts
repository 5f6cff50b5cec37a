/** Kysely on the threads of a SQLite file (docs/decisions/0028), and what differs on SQLite: see engine.ts. */

import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { type Engine, type ItemColumns, type ItemOf, isSelect, likeAll } from '../engine.ts';
import type { Lease, SqliteThreads } from './threads.ts';

const forgetAttempts = 25;
const forgetPauseMs = 200;

const engine: Engine = {
  name: 'sqlite',
  async lockImports() {},
  lockedInOrder: (query) => query,
  locksRows: false,

  /** The log still has removed rows. A connection that reads prevents the checkpoint, so it is tried for some seconds; later calls try again. */
  async forgetDeletedText(db) {
    for (let attempt = 1; attempt <= forgetAttempts; attempt += 1) {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      if (!rows[0]?.busy) return;
      await pause(forgetPauseMs);
    }
  },

  itemTable<Columns extends ItemColumns>(
    rows: readonly Readonly<Record<keyof Columns, unknown>>[],
    columns: Columns,
  ) {
    const names = Object.keys(columns);
    // Rows come as arrays, because SQLite takes twice as long to make objects.
    const values = names.map((name, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
    const json = JSON.stringify(rows.map((row) => names.map((name) => row[name])));
    return sql<ItemOf<Columns>>`(select ${sql.join(values)} from json_each(${json}))`.as('item');
  },

  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    return rows.map(({ name }) => name);
  },

  async checkIntegrity(db) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(100)`.execute(db);
    const { rows: ofSearch } = await sql<{ fault: string }>`
      select case when entry.id is null then 'The book ' || books.id || ' is for sale, and the search does not find it.'
        else 'The search finds a book ' || -entry.id || ', which is not for sale.' end as fault
      from (select seq, id from books where removed_at is null) as books
        full join books_search_docsize as entry on entry.id = -seq
      where entry.id is null or seq is null limit 100
    `.execute(db);
    const { rows: ofReferences } = await sql<{ fault: string }>`
      select 'Rows of ' || "table" || ' that refer to no row of ' || parent || ': ' || count(*) || '.' as fault
      from pragma_foreign_key_check group by "table", parent
    `.execute(db);
    const { rows: pages } = await sql<{ count: number }>`
      select page_count as count from pragma_page_count
    `.execute(db);
    const ofFile = rows
      .map(({ integrity_check }) => `${integrity_check}.`)
      .filter((fault) => fault !== 'ok.');
    const faults = [...ofFile, ...[...ofSearch, ...ofReferences].map(({ fault }) => fault)];
    return { count: Number(pages[0]?.count), unit: 'page', faults };
  },

  async findMatches(db, patterns, max) {
    const { rows } = await sql<{ seq: number }>`
      select -rowid as seq from books_search
      where books_search match ${patterns.map((pattern) => `"${pattern}"`).join(' ')} limit ${max + 1}
    `.execute(db);
    return rows.length > max ? undefined : rows;
  },

  hasPatterns: (patterns) => (patterns.length === 0 ? sql.lit(true) : sql`(${likeAll(patterns)})`),
};

export class StoreSqliteAdapter extends SqliteAdapter {
  readonly engine = engine;

  /** Otherwise Kysely runs one query after the other. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite can migrate in a transaction. Kysely assumes that it cannot: a kill would leave a part of a migration. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** All statements of a transaction go to the writer; outside one, only those that are not a `select`. */
type Connection = DatabaseConnection & { lease?: Lease | undefined };

/** @param writer for handles that only read, a reader: SQLite then rejects statements that change something. */
export const sqliteDialect = (readers: SqliteThreads, writer: SqliteThreads): Dialect => ({
  createDriver: () => ({
    async init() {},

    async acquireConnection() {
      const connection: Connection = {
        async executeQuery<Row>(compiled: CompiledQuery) {
          const threads = connection.lease ?? (isRead(compiled) ? readers : writer);
          return (await threads.execute(compiled.sql, compiled.parameters)) as QueryResult<Row>;
        },
        streamQuery() {
          throw new Error('streaming is not supported: read in pages');
        },
      };
      return connection;
    },

    async beginTransaction(connection: Connection) {
      connection.lease = await writer.lease();
      // After a plain `begin`, the first write fails at once if another process has written since (SQLITE_BUSY_SNAPSHOT).
      await connection.lease.execute('begin immediate');
    },

    async commitTransaction(connection: Connection) {
      await connection.lease?.execute('commit');
      endLease(connection);
    },

    async rollbackTransaction(connection: Connection) {
      await connection.lease?.execute('rollback');
      endLease(connection);
    },

    async releaseConnection(connection: Connection) {
      // A `begin` that timed out may still get the lock, and a `rollback` may fail: nothing else would end the transaction.
      connection.lease?.execute('rollback').catch(() => {});
      endLease(connection);
    },

    async destroy() {
      await Promise.all([readers.close(), writer.close()]);
    },
  }),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new StoreSqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

function endLease(connection: Connection): void {
  connection.lease?.release();
  connection.lease = undefined;
}

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  SelectQueryNode.is(query) || (query.kind === 'RawNode' && isSelect(sql));
