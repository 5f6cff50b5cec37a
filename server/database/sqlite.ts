/** Kysely on `node:sqlite`, whose statements are executed by threads (docs/decisions/0028). */

import { availableParallelism } from 'node:os';
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
import { isSelect } from './is-select.ts';
import { type Lease, SqlitePool } from './sqlite-pool.ts';
import type { StatementResult } from './sqlite-worker.ts';

/** How a SQLite file is opened. The limits are those of one statement. */
export type SqliteSettings = {
  engine: 'sqlite';
  /** Its path. */
  file: string;
  /** How long a read may take, and any other statement. */
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

/** A longer queue means that the disk has stopped: the clients have given up by then. */
const maxQueued = 1_000;
/** Of lists and searches, each of which may take some milliseconds. */
const maxQueuedLists = 64;

/**
 * Opens the threads of a SQLite file, of which each is started when it is needed first: one that writes, one for single
 * reads, and one or more for lists.
 * @param isLimited whether statements have a time limit, at the time of the call.
 * @param onError called with the error of a thread that has ended by itself.
 */
export function openPools(
  { file, readTimeoutMs, statementTimeoutMs }: SqliteSettings,
  { isLimited, onError }: { isLimited(): boolean; onError(error: Error): void },
) {
  const limit = (ms: number) => () => (isLimited() ? ms : Number.POSITIVE_INFINITY);
  const reading = { file, isReader: true, timeoutMs: limit(readTimeoutMs), onError };
  const writer = new SqlitePool({
    file,
    isReader: false,
    size: 1,
    // The next batch of orders is there when the disk has the one before.
    maxSentAhead: 1,
    maxQueued,
    timeoutMs: limit(statementTimeoutMs),
    onError,
  });
  const readers = new SqlitePool({ ...reading, size: 1, maxSentAhead: 8, maxQueued });
  const listReaders = new SqlitePool({
    ...reading,
    // A core is left for the thread that responds to requests.
    size: Math.min(4, Math.max(1, availableParallelism() - 1)),
    // A list that waits for a long one in the same thread could not go to a free one.
    maxSentAhead: 0,
    maxQueued: maxQueuedLists,
  });
  return {
    writer,
    readers,
    listReaders,
    /**
     * Ends the threads after the statements that they execute, the writer last: the last connection checkpoints the
     * file.
     */
    async close() {
      await Promise.all([readers.close(), listReaders.close()]);
      await writer.close();
    },
  };
}

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
  createAdapter = () => new ThreadsAdapter();
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db);
}

/** Lets Kysely run queries at the same time instead of one after the other. */
class ThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
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
