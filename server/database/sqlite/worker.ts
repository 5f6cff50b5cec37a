/** A thread with a connection of its own. It imports as little as possible: each thread loads it again. */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { busyTimeoutMs, openSqliteFile, openSqliteFileForReads, refuseOtherFile } from './file.ts';

export type WorkerOptions = {
  file: string;
  isReader: boolean;
  /** Of the only file that may be opened; undefined: any may. */
  identity?: string | undefined;
};

export type StatementMessage = { sql: string; parameters: readonly unknown[]; isInTransaction: boolean };

/** Rows as arrays, in the order of `columns`: they cross to the other thread in half the time of objects. */
export type StatementResult =
  | { columns: readonly string[]; rows: unknown[][] }
  | { changes: number; lastInsertRowid: number };

/** An error on its way to another thread: a structured clone would lose its codes. */
export type Failure = { message: string; code?: string; errcode?: number; syscall?: string };

/** A result for each statement, in their order; or why the file could not be opened, and then nothing more. */
export type WorkerMessage = { result: StatementResult } | { failure: Failure } | { openFailure: Failure };

if (parentPort) serve(parentPort, workerData as WorkerOptions);

function serve(port: NonNullable<typeof parentPort>, { file, isReader, identity }: WorkerOptions): void {
  const post = (message: WorkerMessage) => port.postMessage(message);
  let sqlite: DatabaseSync;
  try {
    if (identity !== undefined) refuseOtherFile(file, identity);
    sqlite = isReader ? openSqliteFileForReads(file) : openSqliteFile(file);
  } catch (error) {
    post({ openFailure: failureOf(error) });
    port.close();
    return;
  }
  const prepare = cacheStatements(sqlite);
  const run = ({ sql, parameters, isInTransaction }: StatementMessage): StatementResult => {
    // Left over from a transaction whose end failed.
    if (!isInTransaction && sqlite.isTransaction) sqlite.exec('rollback');
    // After some errors, such as a full disk, SQLite has rolled back by itself. A second time would hide that error.
    if (sql === 'rollback' && !sqlite.isTransaction) return { changes: 0, lastInsertRowid: 0 };
    if (!sql.startsWith('pragma wal_checkpoint')) return execute(prepare(sql), parameters);
    // It waits for those who read, and all writes would wait for it. Without the time to wait it reports them instead.
    sqlite.exec('pragma busy_timeout = 0');
    try {
      return execute(prepare(sql), parameters);
    } finally {
      sqlite.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    }
  };

  port.on('message', (message: StatementMessage | 'close') => {
    if (message === 'close') {
      sqlite.close();
      port.close();
      return;
    }
    try {
      post({ result: run(message) });
    } catch (error) {
      post({ failure: failureOf(error) });
    }
  });
}

type PreparedStatement = { statement: StatementSync; columns: readonly string[] };

/** Each search with another number of words is another statement. */
const maxPrepared = 200;

function cacheStatements(sqlite: DatabaseSync): (sql: string) => PreparedStatement {
  const cached = new Map<string, PreparedStatement>();
  return (sql) => {
    const existing = cached.get(sql);
    if (existing) return existing;
    const statement = sqlite.prepare(sql);
    const prepared = { statement, columns: columnsOf(statement) };
    if (prepared.columns.length > 0) statement.setReturnArrays(true);
    if (cached.size >= maxPrepared) cached.clear();
    cached.set(sql, prepared);
    return prepared;
  };
}

const columnsOf = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name);

function execute({ statement, columns }: PreparedStatement, parameters: readonly unknown[]): StatementResult {
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

function failureOf(error: unknown): Failure {
  const { message, code, errcode, syscall } = error as Required<Failure>;
  return { message: String(message), code, errcode, syscall };
}
