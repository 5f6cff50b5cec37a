/** Kysely on `node:sqlite`: one connection, every transaction a write transaction from its start. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';

export type SqliteSettings = {
  engine: 'sqlite';
  /** A path, or `:memory:`. */
  file: string;
};

/** How long a write waits for another process's write before it fails. */
const busyTimeoutMs = 5_000;

/** The file's folder is made when it is missing. */
export function openSqliteFile(file: string): DatabaseSync {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // FULL: a commit that was answered survives a power cut. WAL alone would promise only the process's own death.
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma trusted_schema = off;
  `);
  return sqlite;
}

export function sqliteDialect(sqlite: DatabaseSync): Dialect {
  return {
    createDriver: () => new WriteTransactionDriver({ database: statementsKept(sqlite) }),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * SQLite's plain `begin` takes the write lock at the first write; where another process wrote in between, that fails at
 * once (SQLITE_BUSY_SNAPSHOT), whatever the timeout. `begin immediate` waits for its turn instead.
 */
class WriteTransactionDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Kysely takes SQLite's DDL for non-transactional; it is not, and a migration that dies must leave nothing. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The statements are few, since values are bound: each is prepared once and kept. */
function statementsKept(sqlite: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const known = kept.get(sql);
      if (known) return known;
      const statement = asKyselyStatement(sqlite.prepare(sql));
      // Searches of many words differ in their text: they must not fill what the hot statements live in.
      if (kept.size >= 200) kept.clear();
      kept.set(sql, statement);
      return statement;
    },
  };
}

function asKyselyStatement(statement: StatementSync): SqliteStatement {
  // Kysely hands on what the query was built with; node:sqlite itself refuses what it cannot bind.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
