/** Kysely on the threads of a SQLite file (docs/decisions/0028), and what differs on SQLite: see engine.ts. */

import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import {
  type Engine,
  type EngineAdapter,
  type EngineSchema,
  type EngineSearch,
  type EngineTransactions,
  type ItemColumns,
  type ItemOf,
  isSelect,
  likeAll,
} from '../engine.ts';
import type { Lease, SqliteThreads } from './threads.ts';
import type { StatementResult } from './worker.ts';

const forgetAttempts = 25;
const forgetPauseMs = 200;

const transactions: EngineTransactions = {
  async lockMigrations() {},
  async lockImports() {},
  lockedInOrder: (query) => query,
  locksRows: false,
  writesInTurn: true,

  /** The log still has such rows. A connection that reads prevents it, so it is tried for some seconds; after that, the next call does it. */
  async forgetDeletedText(db) {
    for (let attempt = 1; attempt <= forgetAttempts; attempt += 1) {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      if (!rows[0]?.busy) return;
      await pause(forgetPauseMs);
    }
  },

  itemTable<Columns extends ItemColumns>(json: string, columns: Columns) {
    const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
    return sql<ItemOf<Columns>>`(select ${sql.join(values)} from json_each(${json}))`.as('item');
  },
};

const schema: EngineSchema = {
  async listColumns(db, table) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    return rows.map(({ name }) => name);
  },

  async checkIntegrity(db) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(100)`.execute(db);
    const { rows: pages } = await sql<{ count: number }>`
      select page_count as count from pragma_page_count
    `.execute(db);
    const faults = rows.map(({ integrity_check }) => integrity_check).filter((fault) => fault !== 'ok');
    return { count: Number(pages[0]?.count), unit: 'page', faults: faults.map((fault) => `${fault}.`) };
  },
};

/** A SQLite varint: seven bits of each byte, the highest first. */
const readSize = (bytes: Uint8Array): number => bytes.reduce((size, byte) => size * 128 + (byte & 127), 0);

const search: EngineSearch = {
  async findMatches(db, patterns, max) {
    const { rows } = await sql<{ seq: number }>`
      select -rowid as seq from books_search
      where books_search match ${patterns.map((pattern) => `"${pattern}"`).join(' ')} limit ${max + 1}
    `.execute(db);
    return rows.length > max ? undefined : rows;
  },

  hasPatterns: (patterns) => (patterns.length === 0 ? sql.lit(true) : sql`(${likeAll(patterns)})`),

  /** By the beginning and the length of each text: the whole would take ten times as long. One of two characters has nothing to index. */
  async findUnindexed(db, { first, last }) {
    const { rows } = await sql<{ seq: number; length: number; size: Uint8Array | null; isFound: number }>`
      select seq, length(search_text) as length, entry.sz as size, length(search_text) < 3 or exists (
        select 1 from books_search
        where books_search match '"' || substr(books.search_text, 1, 8) || '"' and books_search.rowid = -books.seq
      ) as "isFound"
      from books left join books_search_docsize as entry on entry.id = -seq
      where seq between ${first} and ${last} and removed_at is null
    `.execute(db);
    return rows
      .filter(({ length, size, isFound }) => !isFound || !size || readSize(size) !== Math.max(0, length - 2))
      .map(({ seq }) => seq);
  },

  async listOrphans(db) {
    const { rows } = await sql<{ seq: number }>`
      select -entry.id as seq from books_search_docsize as entry
      where not exists (select 1 from books where seq = -entry.id and removed_at is null) limit 100
    `.execute(db);
    return rows.map(({ seq }) => seq);
  },
};

const engine: Engine = { name: 'sqlite', ...transactions, ...schema, ...search };

export class StoreSqliteAdapter extends SqliteAdapter implements EngineAdapter {
  readonly engine = engine;

  /** Otherwise Kysely runs one query after the other. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite can, and Kysely holds the opposite: its migrator would leave a half after a kill. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** @param writer for reads alone, the readers: SQLite then rejects statements that change something. */
export const sqliteDialect = (readers: SqliteThreads, writer: SqliteThreads): Dialect => ({
  createDriver: () => createDriver(readers, writer),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new StoreSqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

/** All statements of a transaction go to the writer; outside one, only those that are not a `select`. */
type Connection = DatabaseConnection & { lease?: Lease };

const createDriver = (readers: SqliteThreads, writer: SqliteThreads): Driver => ({
  async init() {},

  async acquireConnection() {
    const connection: Connection = {
      async executeQuery(compiled) {
        const threads = connection.lease ?? (isRead(compiled) ? readers : writer);
        return asKyselyResult(await threads.execute(compiled.sql, compiled.parameters));
      },
      streamQuery() {
        throw new Error('streaming is not supported: read in pages');
      },
    };
    return connection;
  },

  async beginTransaction(connection: Connection) {
    const lease = await writer.lease();
    connection.lease = lease;
    // After a plain `begin` the first write fails at once if another process has written since (SQLITE_BUSY_SNAPSHOT).
    try {
      await lease.execute('begin immediate', [], false);
    } catch (error) {
      // One that took too long may yet get the lock, which nothing would release.
      lease.execute('rollback').catch(() => {});
      throw error;
    }
  },

  async commitTransaction({ lease }: Connection) {
    await lease?.execute('commit');
  },

  async rollbackTransaction({ lease }: Connection) {
    await lease?.execute('rollback');
  },

  async releaseConnection({ lease }: Connection) {
    lease?.release();
  },

  async destroy() {},
});

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  SelectQueryNode.is(query) || (query.kind === 'RawNode' && isSelect(sql));

function asKyselyResult<Row>(result: StatementResult): QueryResult<Row> {
  if (!('rows' in result)) {
    const { changes, lastInsertRowid } = result;
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
  const { columns, rows } = result;
  const objects = rows.map((values) => {
    const object: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) object[columns[index] ?? ''] = values[index];
    return object;
  });
  return { rows: objects as Row[] };
}
