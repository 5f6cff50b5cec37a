/** A SQLite database in memory, for schedules: they decide when a statement or a whole transaction is executed. */

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type QueryResult } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../database/migrate.ts';
import * as migrations from '../database/migrations/index.ts';
import { sqliteDialect } from '../database/sqlite/dialect.ts';
import type { Lease, SqliteThreads } from '../database/sqlite/threads.ts';
import type { Db, Tables } from '../database/tables.ts';

/** Makes a database with the store's tables for all tests of the file. `openDb`: `around` wraps each statement and each transaction. */
export function setUpMemoryDatabase() {
  const sqlite = new DatabaseSync(':memory:');
  const prepared = new Map<string, StatementSync>();
  const run = (sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> => {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql);
    prepared.set(sql, statement);
    const values = parameters as SQLInputValue[];
    if (statement.columns().length > 0) return { rows: statement.all(...values) };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  };
  const lease: Lease = { execute: async (sql, parameters) => run(sql, parameters), release() {} };
  const openDb = (
    around: <Result>(execute: () => Result) => Promise<Result> = async (execute) => execute(),
  ): Db => {
    const execute: Lease['execute'] = (sql, parameters) => around(() => run(sql, parameters));
    const threads = { execute, lease: () => around(() => lease) } as unknown as SqliteThreads;
    return new Kysely<Tables>({ dialect: sqliteDialect(threads, threads) });
  };
  const direct = openDb();
  beforeAll(() => migrate(direct, migrations));
  afterAll(() => sqlite.close());
  return { run, openDb, direct };
}
