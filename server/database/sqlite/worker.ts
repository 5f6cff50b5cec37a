/**
 * A thread with its own connection to a SQLite file. It executes the statements that it is sent, in their order. It
 * imports as little as possible: it is loaded once for each thread.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { busyTimeoutMs, openSqliteFile, openSqliteFileForReads, refuseOtherFile } from './file.ts';

/** The file that a thread opens. */
export type WorkerOptions = {
  /** The path of an existing file, or for a writer of one to create. */
  file: string;
  /** The connection is for reads alone. */
  isReader: boolean;
  /** The identity (`identityOf`) of the only file that may be opened at the path; undefined: any may. */
  identity?: string | undefined;
};

/** A statement on its way to the thread. */
export type StatementMessage = {
  /** Its number: the result has the same. */
  id: number;
  /** An empty text executes nothing: its result shows that the file is open. */
  sql: string;
  parameters: readonly unknown[];
  /** The statement belongs to the open transaction. */
  isInTransaction: boolean;
};

/** Rows as arrays, in the order of `columns`: they cross to the other thread in half the time of objects. */
export type StatementResult =
  | { columns: readonly string[]; rows: unknown[][] }
  | { changes: number; lastInsertRowid: number };

/** An error as it is sent to another thread: a structured clone would lose its codes. */
export type StatementFailure = {
  message: string;
  code?: string;
  errcode?: number;
  syscall?: string;
};

/** `id` of the statement; an error without one: the file could not be opened. */
export type ResultMessage =
  | { id: number; result: StatementResult }
  | { id: number | undefined; error: StatementFailure };

if (parentPort) serve(parentPort, workerData as WorkerOptions);

function serve(port: NonNullable<typeof parentPort>, { file, isReader, identity }: WorkerOptions): void {
  const post = (message: ResultMessage, transferred: ArrayBuffer[] = []) =>
    port.postMessage(message, transferred);
  let sqlite: DatabaseSync;
  try {
    if (identity !== undefined) refuseOtherFile(file, identity);
    sqlite = isReader ? openSqliteFileForReads(file) : openSqliteFile(file);
  } catch (error) {
    post({ id: undefined, error: failureOf(error) });
    port.close();
    return;
  }
  const prepare = cacheStatements(sqlite);

  port.on('message', (message: StatementMessage | 'close') => {
    if (message === 'close') {
      sqlite.close();
      port.close();
      return;
    }
    const { id, sql, parameters, isInTransaction } = message;
    try {
      // Left over from a transaction whose end failed.
      if (!isInTransaction && sqlite.isTransaction) sqlite.exec('rollback');
      // After some errors, such as a full disk, SQLite has rolled back by itself. A second time would hide that error.
      const isNoOp = sql === '' || (sql === 'rollback' && !sqlite.isTransaction);
      const result = isNoOp
        ? { changes: 0, lastInsertRowid: 0 }
        : sql.startsWith('pragma wal_checkpoint')
          ? withoutWaiting(sqlite, () => execute(prepare(sql), parameters))
          : execute(prepare(sql), parameters);
      post({ id, result }, blobsOf(result));
    } catch (error) {
      post({ id, error: failureOf(error) });
    }
  });
}

/** A checkpoint waits for those who read, and all writes would wait for it. Without the time to wait it reports them instead. */
function withoutWaiting<Result>(sqlite: DatabaseSync, work: () => Result): Result {
  sqlite.exec('pragma busy_timeout = 0');
  try {
    return work();
  } finally {
    sqlite.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }
}

type PreparedStatement = { statement: StatementSync; columns: readonly string[] };

/** Prepares each statement once. The statements are few, because values are bound. */
function cacheStatements(sqlite: DatabaseSync): (sql: string) => PreparedStatement {
  const cached = new Map<string, PreparedStatement>();
  return (sql) => {
    const existing = cached.get(sql);
    if (existing) return existing;
    const statement = sqlite.prepare(sql);
    const prepared = { statement, columns: columnsOf(statement) };
    if (prepared.columns.length > 0) statement.setReturnArrays(true);
    // Each search with another number of words is another statement, so the cache needs a limit.
    if (cached.size >= 200) cached.clear();
    cached.set(sql, prepared);
    return prepared;
  };
}

const columnsOf = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name);

function execute({ statement, columns }: PreparedStatement, parameters: readonly unknown[]): StatementResult {
  // Kysely passes the values of the query on; node:sqlite itself rejects a value that it cannot bind.
  const values = parameters as SQLInputValue[];
  if (columns.length > 0) {
    const rows = statement.all(...values) as unknown as unknown[][];
    // A migration by another process can have added a column to a `select *`.
    const isSame = rows.length === 0 || rows[0]?.length === columns.length;
    return { columns: isSame ? columns : columnsOf(statement), rows };
  }
  const { changes, lastInsertRowid } = statement.run(...values);
  return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
}

/** @returns the bytes of the images in a result, which are transferred instead of copied. */
function blobsOf(result: StatementResult): ArrayBuffer[] {
  if (!('rows' in result) || !result.rows[0]?.some((value) => value instanceof Uint8Array)) return [];
  return result.rows
    .flat()
    .flatMap((value) => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []));
}

function failureOf(error: unknown): StatementFailure {
  const { message, code, errcode, syscall } = error as StatementFailure;
  return {
    message: String(message),
    ...(code === undefined ? {} : { code }),
    ...(errcode === undefined ? {} : { errcode }),
    ...(syscall === undefined ? {} : { syscall }),
  };
}
