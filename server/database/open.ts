/** Opens the store's database on either engine. */

import { Kysely, sql } from 'kysely';
import {
  type CatalogueVersion,
  countSqliteChanges,
  createCatalogueVersion,
  listenForPostgresChanges,
} from './catalogue-version.ts';
import { checkMigrated, migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { migrationDialect, type PostgresSettings, postgresDialects } from './postgres.ts';
import { NodeSqliteDialect, openSqliteFile, type SqliteSettings } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export type Database = {
  db: Kysely<Tables>;
  /**
   * For lists and searches of the catalogue: reads alone, which may take long. They hold only a share of the readers
   * and connections, so that sessions, single books and orders always find one.
   */
  listDb: Kysely<Tables>;
  catalogueVersion: CatalogueVersion;
  close(): Promise<void>;
};

export type OpenOptions = {
  /** Called with the error of an idle connection that broke. */
  onError?: (error: Error) => void;
  /** Called with the names of the migrations that were applied, unless there were none. */
  onMigrated?: (names: readonly string[]) => void;
  /** For a command beside the store: a database that is not of this version is refused, and stays as it is. */
  isReadAsItIs?: boolean;
};

/**
 * Opens the database and brings its tables up to date. A missing SQLite file is created.
 * @throws {MigrationError} if another version of the store made the database; or the engine's error, for example
 * because the server cannot be reached, the file is not a database, or a migration failed.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  { onError = () => {}, onMigrated = () => {}, isReadAsItIs = false }: OpenOptions = {},
): Promise<Database> {
  const database = settings.engine === 'sqlite' ? openSqlite(settings) : openPostgres(settings, onError);
  try {
    if (isReadAsItIs) await checkMigrated(database.db, migrations);
    else {
      const names = await bringUpToDate(settings, database.db);
      if (names.length > 0) onMigrated(names);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** @returns the names of the migrations that were applied. */
async function bringUpToDate(settings: DatabaseSettings, db: Kysely<Tables>): Promise<string[]> {
  if (settings.engine === 'sqlite') return await migrate(db, migrations);
  const migrationDb = new Kysely<Tables>({ dialect: migrationDialect(settings) });
  try {
    return await migrate(migrationDb, migrations);
  } finally {
    await migrationDb.destroy();
  }
}

function openSqlite({ file }: SqliteSettings): Database {
  const sqlite = openSqliteFile(file);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(sqlite) });
  return {
    db,
    listDb: db,
    catalogueVersion: createCatalogueVersion(countSqliteChanges(sqlite)),
    close: () => db.destroy(),
  };
}

function openPostgres(settings: PostgresSettings, onError: (error: Error) => void): Database {
  const { statements, lists } = postgresDialects(settings, onError);
  const db = new Kysely<Tables>({ dialect: statements });
  const listDb = lists ? new Kysely<Tables>({ dialect: lists }) : db;
  const listener = listenForPostgresChanges(settings, (channel) =>
    sql`notify ${sql.ref(channel)}`.execute(db),
  );
  return {
    db,
    listDb,
    catalogueVersion: createCatalogueVersion(listener.changes),
    async close() {
      await listener.close();
      if (listDb !== db) await listDb.destroy();
      await db.destroy();
    },
  };
}
