/** Kysely on `node:sqlite`: one connection, every transaction a write transaction from its start. */

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';

export type SqliteSettings = {
  engine: 'sqlite';
  /** A path, or `:memory:`. */
  file: string;
  /** How long a read may take, and any other statement. */
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

/** A write that waits longer than this for another process's write fails. */
const busyTimeoutMs = 5_000;

/** Opens a SQLite file. It is created if it is missing, and so is its folder. Other users of the machine cannot read it. */
export function openSqliteFile(file: string): DatabaseSync {
  if (file !== ':memory:') makePrivate(file);
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // FULL: an acknowledged commit survives a power cut. WAL alone survives only a crash of the process.
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma trusted_schema = off;
  `);
  return sqlite;
}

/**
 * Creates what is missing for this user alone: SQLite would make the file readable for everybody. From the files of an older
 * version it takes the rights of other users, but not those of the group, which an operator may have given.
 */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    const stats = statSync(name, { throwIfNoEntry: false });
    const isOwn = stats?.uid === process.getuid?.();
    if (stats && isOwn && stats.mode & 0o007) chmodSync(name, stats.mode & 0o770);
  }
}

/** Kysely's dialect for an open SQLite file. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #sqlite: DatabaseSync;

  constructor(sqlite: DatabaseSync) {
    const database = cachingStatements(sqlite);
    super({ database });
    this.#database = database;
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return new WriteTransactionDriver({ database: this.#database }, this.#sqlite);
  }
}

/**
 * SQLite's plain `begin` takes the write lock at the first write. If another process wrote in between, that fails at
 * once (SQLITE_BUSY_SNAPSHOT), whatever the timeout. `begin immediate` waits for the lock instead.
 */
class WriteTransactionDriver extends SqliteDriver {
  readonly #sqlite: DatabaseSync;

  constructor(config: SqliteDialectConfig, sqlite: DatabaseSync) {
    super(config);
    this.#sqlite = sqlite;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After some errors, such as a full disk, SQLite has rolled back by itself. A second time would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Prepares each statement once. The statements are few, because values are bound. */
function cachingStatements(sqlite: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const cached = statements.get(sql);
      if (cached) return cached;
      const statement = asKyselyStatement(sqlite.prepare(sql));
      // Each search with another number of words is another statement, so the cache needs a limit.
      if (statements.size >= 200) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function asKyselyStatement(statement: StatementSync): SqliteStatement {
  // Kysely passes the values of the query on; node:sqlite itself rejects a value that it cannot bind.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
