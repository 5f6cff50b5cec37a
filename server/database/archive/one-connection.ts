import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { StoreSqliteAdapter } from '../sqlite/dialect.ts';
import type { Db, Tables } from '../tables.ts';

class OneConnectionDialect extends SqliteDialect {
  override createAdapter = () => new StoreSqliteAdapter();
}

/** @returns Kysely on this connection, on this thread: for a command that has a file for itself. */
export function onConnection(sqlite: DatabaseSync): Db {
  const prepare = (text: string) => {
    const statement = sqlite.prepare(text);
    const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
      run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
    };
  };
  return new Kysely<Tables>({
    dialect: new OneConnectionDialect({ database: { prepare, close: () => sqlite.close() } }),
  });
}
