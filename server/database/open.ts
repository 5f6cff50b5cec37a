import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import {
  type CatalogueVersion,
  countSqliteChanges,
  createCatalogueVersion,
  listenForPostgresChanges,
} from './catalogue-version.ts';
import { migrations } from './migrations/index.ts';
import { type PostgresSettings, postgresDialect } from './postgres.ts';
import { openSqliteFile, type SqliteSettings, sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export type Database = {
  db: Kysely<Tables>;
  catalogueVersion: CatalogueVersion;
  close(): Promise<void>;
};

/**
 * Opens the database and brings its tables up to date. A SQLite file that is not there is made.
 * @param onError told of connections that break while nobody uses them.
 * @throws what the engine throws: it cannot be reached, the file is not a database, a migration failed.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  onError: (error: Error) => void = () => {},
): Promise<Database> {
  const database = settings.engine === 'sqlite' ? openSqlite(settings) : openPostgres(settings, onError);
  try {
    await migrate(database.db);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function openSqlite({ file }: SqliteSettings): Database {
  const sqlite = openSqliteFile(file);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(sqlite) });
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

/**
 * Runs what is missing and records it (table kysely_migration), in one transaction. Of several processes that start at
 * once one does, and the others wait: on SQLite for the write lock, on PostgreSQL for an advisory lock.
 */
async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
