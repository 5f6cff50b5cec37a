import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import { listenForChanges, type PostgresSettings, postgresDialect } from './postgres.ts';
import { openSqliteFile, type SqliteSettings, sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export type Database = {
  db: Kysely<Tables>;
  /**
   * A number that counts up when others (a second process, another node) have changed the books; NaN, which differs from
   * everything, while that cannot be told. Costs next to nothing.
   */
  changesByOthers(): number;
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
  // Changes when another connection has committed anything at all (SQLite's manual, pragma data_version).
  const dataVersion = sqlite.prepare('pragma data_version');
  let lastVersion: unknown;
  let changes = 0;
  let isAsked = false;
  return {
    db,
    changesByOthers() {
      // Asked once a turn of the event loop: what comes in the same turn came at the same time.
      if (isAsked) return changes;
      try {
        const version = dataVersion.get()?.['data_version'];
        if (version !== lastVersion) changes += 1;
        lastVersion = version;
      } catch {
        // The file cannot be read: whoever asks the database next is told why.
        return Number.NaN;
      }
      isAsked = true;
      setImmediate(() => {
        isAsked = false;
      });
      return changes;
    },
    close: () => db.destroy(),
  };
}

function openPostgres(settings: PostgresSettings, onError: (error: Error) => void): Database {
  const db = new Kysely<Tables>({ dialect: postgresDialect(settings, onError) });
  const listener = listenForChanges(settings, (channel) => sql`notify ${sql.ref(channel)}`.execute(db));
  return {
    db,
    changesByOthers: listener.mark,
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
