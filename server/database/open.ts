import type { Kysely, LogEvent } from 'kysely';
import type { CatalogueVersion } from './catalogue-version.ts';
import type { PoolUsage, Space } from './engine.ts';
import { checkMigrated, migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { PostgresEvents } from './postgres/open.ts';
import type { PostgresSettings } from './postgres/pools.ts';
import { openSqlite, type SqliteSettings } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export type Database = {
  db: Kysely<Tables>;
  /** For reads that may take long: they hold only a share of the readers and connections, so that sessions and orders always find one. */
  listDb: Kysely<Tables>;
  /** For `/readyz` alone: a full pool says nothing about the server. */
  healthDb: Kysely<Tables>;
  catalogueVersion: CatalogueVersion;
  engine: 'sqlite' | 'postgres';
  pools(): Readonly<Record<string, PoolUsage>>;
  observeStatements(observer: StatementObserver): void;
  space(): Promise<Space>;
  /** @throws {UnavailableError} when SQLite's file was removed or replaced. */
  checkFile(): Promise<void>;
  close(): Promise<void>;
};

/** `seconds`: on SQLite with the wait for a thread, on PostgreSQL without the wait for a connection. */
type StatementObserver = (kind: StatementKind, seconds: number, error?: unknown) => void;
type StatementKind = 'select' | 'insert' | 'update' | 'delete' | 'other';

const kinds: Readonly<Record<string, StatementKind>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

export type OpenOptions = PostgresEvents & {
  /** Called with a sentence that begins with a setting. */
  onWarning?: (warning: string) => void;
  /** Called before each migration, unless the database is new. */
  onMigration?: (name: string) => void;
  onMigrated?: (names: readonly string[]) => void;
  /** For a command beside the store: a database that is not of this version is refused, and stays as it is. */
  isReadAsItIs?: boolean;
};

/**
 * Opens the database, makes a missing SQLite file, and brings the tables up to date.
 * @throws {MigrationError} if another version of the store made the database; `DirectAddressError`; or the engine's error.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  {
    onError = () => {},
    onListener = () => {},
    onWarning = () => {},
    onMigration = () => {},
    onMigrated = () => {},
    isReadAsItIs = false,
  }: OpenOptions = {},
): Promise<Database> {
  // A migration may take long.
  let isLimited = false;
  let observer: StatementObserver = () => {};
  const log = (event: LogEvent) => {
    const error = event.level === 'error' ? event.error : undefined;
    observer(kinds[event.query.query.kind] ?? 'other', event.queryDurationMillis / 1000, error);
  };
  const database =
    settings.engine === 'sqlite'
      ? await openSqlite(settings, { isLimited: () => isLimited, onError, log })
      : (await importPostgres()).openPostgres(settings, { onError, onListener, log });
  try {
    const names = await prepare(settings, database.db, { isReadAsItIs, onMigration, onWarning });
    if (names.length > 0) onMigrated(names);
  } catch (error) {
    await database.close();
    throw error;
  }
  isLimited = true;
  return {
    ...database,
    observeStatements(next) {
      observer = next;
    },
  };
}

/** A store on SQLite does without `pg`, which takes memory and a part of the start. */
const importPostgres = () => import('./postgres/open.ts');

/** @returns the names of the migrations that were applied. */
async function prepare(
  settings: DatabaseSettings,
  db: Kysely<Tables>,
  {
    isReadAsItIs,
    onMigration,
    onWarning,
  }: { isReadAsItIs: boolean; onMigration(name: string): void; onWarning(warning: string): void },
): Promise<string[]> {
  const bringUpToDate = async (db: Kysely<Tables>): Promise<string[]> => {
    if (!isReadAsItIs) return await migrate(db, migrations, onMigration);
    await checkMigrated(db, migrations);
    return [];
  };
  if (settings.engine === 'sqlite') return await bringUpToDate(db);
  const { prepareDirectly } = await importPostgres();
  return await prepareDirectly(settings, db, { isReadAsItIs, onWarning, bringUpToDate });
}
