/** A thread with a connection of its own. It imports as little as possible: each thread loads it again. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { QueryResult } from 'kysely';
import { busyTimeoutMs, identityOf, openSqliteFile, openSqliteFileForReads, otherFileError } from './file.ts';

export type WorkerOptions = {
  file: string;
  isReader: boolean;
  /** The identity of the only file that the thread may open (file.ts); undefined: it may open any. */
  identity?: string | undefined;
};

export type Statement = { sql: string; parameters: readonly unknown[] };

/** An error on its way to another thread: a structured clone would lose its codes. */
export type Failure = { message: string; code?: string; errcode?: number; syscall?: string };

export type Result = QueryResult<unknown>;

export type WorkerMessage = { result: Result } | { failure: Failure };

if (parentPort) serve(parentPort, workerData as WorkerOptions);

function serve(port: NonNullable<typeof parentPort>, { file, isReader, identity }: WorkerOptions): void {
  let open: { sqlite: DatabaseSync; run: Run } | undefined;
  port.on('message', (message: Statement | 'close') => {
    if (message === 'close') {
      open?.sqlite.close();
      port.close();
      return;
    }
    try {
      // If the file cannot be opened, this statement fails, and the next one tries again.
      if (!open) {
        if (identity !== undefined && identityOf(file) !== identity) throw otherFileError(file);
        const sqlite = isReader ? openSqliteFileForReads(file) : openSqliteFile(file);
        open = { sqlite, run: runnerOf(sqlite) };
      }
      port.postMessage({ result: open.run(message) });
    } catch (error) {
      const { message, code, errcode, syscall } = error as Required<Failure>;
      port.postMessage({ failure: { message: String(message), code, errcode, syscall } });
    }
  });
}

type Run = (statement: Statement) => Result;

/** The limit of prepared statements: searches with different numbers of words are different statements. */
const maxPrepared = 200;

function runnerOf(sqlite: DatabaseSync): Run {
  const prepared = new Map<string, (values: SQLInputValue[]) => Result>();
  const prepare = (sql: string) => {
    const statement = sqlite.prepare(sql);
    if (statement.columns().length > 0)
      return (values: SQLInputValue[]) => ({ rows: statement.all(...values) });
    return (values: SQLInputValue[]) => ({
      rows: [],
      numAffectedRows: BigInt(statement.run(...values).changes),
    });
  };
  const execute: Run = ({ sql, parameters }) => {
    const statement = prepared.get(sql) ?? prepare(sql);
    if (prepared.size >= maxPrepared) prepared.clear();
    prepared.set(sql, statement);
    return statement(parameters as SQLInputValue[]);
  };
  return (statement) => {
    // After some errors, such as a full disk, SQLite has rolled back by itself.
    if (statement.sql === 'rollback' && !sqlite.isTransaction) return { rows: [] };
    if (!statement.sql.startsWith('pragma wal_checkpoint')) return execute(statement);
    // A checkpoint waits for readers, and all writes would wait for it. Without a busy timeout, it reports the readers instead.
    sqlite.exec('pragma busy_timeout = 0');
    try {
      return execute(statement);
    } finally {
      sqlite.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    }
  };
}
