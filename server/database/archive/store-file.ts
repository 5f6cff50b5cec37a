/** SQLite files that a command has for itself, on this thread: a backup, the database of a closed store, and a store that is being made. */

import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { type AppliedMigration, makeTables } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { asSqliteFault } from '../open-error.ts';
import { StoreSqliteAdapter } from '../sqlite/dialect.ts';
import type { Db, Tables } from '../tables.ts';
import { sqliteCodeOf } from '../unavailable.ts';
import type { Table } from './copy-rows.ts';

class OneConnectionDialect extends SqliteDialect {
  override createAdapter = () => new StoreSqliteAdapter();
}

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

export async function withFile<Result>(
  file: string,
  options: DatabaseSyncOptions,
  work: (db: Db, sqlite: DatabaseSync) => Promise<Result>,
): Promise<Result> {
  using sqlite = new DatabaseSync(file, options);
  return await work(onConnection(sqlite), sqlite);
}

export const makeStoreFile = (
  file: string,
  applied: readonly AppliedMigration[],
  fill: (db: Db, tables: readonly Table[]) => Promise<unknown>,
): Promise<void> =>
  withFile(file, { enableForeignKeyConstraints: false }, async (db, sqlite) => {
    // After a failure the file is removed, so nothing needs a rollback.
    sqlite.exec('pragma journal_mode = memory; pragma synchronous = off; begin');
    const tables = await makeEmptyTables(db, applied);
    // The other triggers would repeat changes that the rows already have; this trigger fills the search index.
    const triggers = sqlite
      .prepare(`select name, sql from sqlite_schema where type = 'trigger' and name <> 'books_search_insert'`)
      .all();
    for (const { name } of triggers) sqlite.exec(`drop trigger ${name}`);
    await fill(db, tables);
    for (const { sql } of triggers) sqlite.exec(String(sql));
    sqlite.exec('commit');
  });

/** Makes the tables as a start does. @returns the tables that both engines have, in the order in which they were made. */
export async function makeEmptyTables(db: Db, applied: readonly AppliedMigration[]): Promise<Table[]> {
  await makeTables(db, migrations, applied);
  const tables = await withFile(':memory:', {}, async (db, sqlite) => {
    await makeTables(db, migrations, applied);
    return sqlite
      .prepare(
        `select name from sqlite_schema join pragma_table_list using (name)
        where pragma_table_list.type = 'table' and schema = 'main' and name not like 'sqlite_%'
          and name not in ('kysely_migration', 'catalogue_changes', 'session_changes')
        order by sqlite_schema.rowid`,
      )
      .all()
      .map(({ name }) => {
        const columns = sqlite.prepare(`select name, pk from pragma_table_info('${name}') order by pk`).all();
        const keys = columns.filter(({ pk }) => pk !== 0);
        return { name: String(name), columns: columns.map(nameOf), keys: keys.map(nameOf) };
      });
  });
  // Some migrations insert rows of their own.
  for (const { name } of tables) await sql`delete from ${sql.table(name)}`.execute(db);
  return tables;
}

const nameOf = ({ name }: Readonly<Record<string, unknown>>): string => String(name);

/** Checks the file. Comparing its indexes with the tables too would take ten times as long as writing the file. @throws {StartError} */
export function checkFile(sqlite: DatabaseSync, name: string): void {
  for (const check of ['quick_check(1)', 'foreign_key_check']) {
    const [fault = 'ok'] = Object.values(sqlite.prepare(`pragma ${check}`).get() ?? {});
    if (fault !== 'ok') throw new StartError(`${name} is damaged (${check}: ${fault}).`);
  }
}

/** SQLITE_READONLY, FULL and CANTOPEN are faults of the folder that a file is written to. */
const folderFaults = [8, 13, 14];

export const asFolderFault = (error: unknown, file: string): unknown =>
  folderFaults.includes(sqliteCodeOf(error) ?? 0) ? asSqliteFault(error, dirname(file)) : error;

export type Counts = { books: number; customers: number; orders: number };

export function countRows(sqlite: DatabaseSync): Counts {
  const count = (table: string) =>
    Number(sqlite.prepare(`select count(*) as count from ${table}`).get()?.['count']);
  return { books: count('books'), customers: count('customers'), orders: count('orders') };
}
