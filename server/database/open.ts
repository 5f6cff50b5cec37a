/** Opens the store's database on either engine. */

import { Kysely, sql } from 'kysely';
import {
  type CatalogueVersion,
  countSqliteChanges,
  createCatalogueVersion,
  listenForPostgresChanges,
} from './catalogue-version.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { type PostgresSettings, postgresDialect } from './postgres.ts';
import { NodeSqliteDialect, openSqliteFile, type SqliteSettings } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export type Database = {
  db: Kysely<Tables>;
  catalogueVersion: CatalogueVersion;
  close(): Promise<void>;
};

/**
 * Opens the database and brings its tables up to date. A missing SQLite file is created.
 * @param onError called with the error of an idle connection that broke.
 * @throws {MigrationError} if another version of the store made the database; or the engine's error, for example
 * because the server cannot be reached, the file is not a database, or a migration failed.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  onError: (error: Error) => void = () => {},
): Promise<Database> {
  const database = settings.engine === 'sqlite' ? openSqlite(settings) : openPostgres(settings, onError);
  try {
    await migrate(database.db, migrations);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function openSqlite({ file }: SqliteSettings): Database {
  const sqlite = openSqliteFile(file);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(sqlite) });
  return {
    db,
    catalogueVersion: createCatalogueVersion(countSqliteChanges(sqlite)),
    close: () => db.destroy(),
  };
}

function openPostgres(settings: PostgresSettings, onError: (error: Error) => void): Database {
  const db = new Kysely<Tables>({ dialect: postgresDialect(settings, onError) });
  const listener = listenForPostgresChanges(settings, (channel) =>
    sql`notify ${sql.ref(channel)}`.execute(db),
  );
  return {
    db,
    catalogueVersion: createCatalogueVersion(listener.changes),
    async close() {
      await listener.close();
      await db.destroy();
    },
  };
}
