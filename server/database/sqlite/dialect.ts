/** Kysely on `node:sqlite`, whose statements are executed by threads (docs/decisions/0028). */

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Engine, type EngineAdapter, isSelect } from '../engine.ts';
import type { Lease, SqlitePool } from './pool.ts';
import { sqliteSchema } from './schema.ts';
import { sqliteSearch } from './search.ts';
import { sqliteTransactions } from './transactions.ts';
import type { StatementResult } from './worker.ts';

/** Kysely's dialect for a SQLite file. The pools are closed apart. */
export class SqliteThreadsDialect implements Dialect {
  readonly #pools: DialectPools;

  /**
   * @param pools for reads alone, pass the readers as `writer`: SQLite then rejects statements that change something.
   */
  constructor(pools: DialectPools) {
    this.#pools = pools;
  }

  createDriver = (): Driver => new ThreadsDriver(this.#pools);
  createQueryCompiler = () => new SqliteQueryCompiler();
  createAdapter = () => new StoreSqliteAdapter();
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db);
}

const engine: Engine = { name: 'sqlite', ...sqliteTransactions, ...sqliteSchema, ...sqliteSearch };

export class StoreSqliteAdapter extends SqliteAdapter implements EngineAdapter {
  readonly engine = engine;

  /** Lets Kysely run queries at the same time instead of one after the other. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite can, and Kysely holds the opposite: its migrator would leave a half after a kill. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

type DialectPools = { readers: SqlitePool; writer: SqlitePool };

class ThreadsDriver implements Driver {
  readonly #pools: DialectPools;

  constructor(pools: DialectPools) {
    this.#pools = pools;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ThreadsConnection(this.#pools);
  }

  async beginTransaction(connection: ThreadsConnection): Promise<void> {
    connection.lease = await this.#pools.writer.lease();
    // The plain `begin` takes the write lock at the first write. If another process wrote in between, that fails at once
    // (SQLITE_BUSY_SNAPSHOT), whatever the timeout. `begin immediate` waits for the lock instead.
    try {
      await connection.lease.execute('begin immediate');
    } catch (error) {
      // One that took too long may yet get the lock, which nothing would release.
      connection.lease.execute('rollback').catch(() => {});
      throw error;
    }
  }

  async commitTransaction(connection: ThreadsConnection): Promise<void> {
    await connection.lease?.execute('commit');
  }

  async rollbackTransaction(connection: ThreadsConnection): Promise<void> {
    await connection.lease?.execute('rollback');
  }

  async releaseConnection(connection: ThreadsConnection): Promise<void> {
    connection.lease?.release();
  }

  async destroy(): Promise<void> {}
}

/** All statements of a transaction go to the writer; outside one, only those that are not a `select`. */
class ThreadsConnection implements DatabaseConnection {
  lease: Lease | undefined;
  readonly #pools: DialectPools;

  constructor(pools: DialectPools) {
    this.#pools = pools;
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = compiled;
    const pool = isRead(compiled) ? this.#pools.readers : this.#pools.writer;
    return asKyselyResult(await (this.lease ?? pool).execute(sql, parameters));
  }

  // biome-ignore lint/correctness/useYield: the store reads in pages, and Kysely requires the method.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming is not supported: read in pages');
  }
}

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  SelectQueryNode.is(query) || (query.kind === 'RawNode' && isSelect(sql));

function asKyselyResult<Row>(result: StatementResult): QueryResult<Row> {
  if (!('rows' in result)) {
    return {
      rows: [],
      numAffectedRows: BigInt(result.changes),
      insertId: BigInt(result.lastInsertRowid),
    };
  }
  const { columns, rows } = result;
  const objects = rows.map((values) => {
    const object: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) object[columns[index] ?? ''] = values[index];
    return object;
  });
  return { rows: objects as Row[] };
}
