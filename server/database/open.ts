import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import { openSqliteFile, sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Database = {
  db: Kysely<Tables>;
  /** A number that changes when anybody but this connection has committed something. Cheap enough for every read. */
  othersCommits(): number;
  close(): Promise<void>;
};

export type DatabaseSettings = { engine: 'sqlite'; file: string };

/**
 * Opens the database, makes it when there is none, and brings its tables up to date.
 * @throws what the engine throws: the file cannot be opened or is not a database, a migration failed.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const sqlite = openSqliteFile(settings.file);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(sqlite) });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const dataVersion = sqlite.prepare('pragma data_version');
  return {
    db,
    othersCommits: () => Number(dataVersion.get()?.['data_version']),
    close: () => db.destroy(),
  };
}

/** Runs what is missing, in one transaction that holds the write lock, and records it (table kysely_migration). */
async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
