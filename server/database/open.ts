/** Opens the store's database on either engine. */

import { Kysely, PostgresDialect, sql } from 'kysely';
import {
  type CatalogueVersion,
  countSqliteChanges,
  createCatalogueVersion,
  listenForPostgresChanges,
} from './catalogue-version.ts';
import { checkMigrated, migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { PoolUsage } from './pool-usage.ts';
import { DirectAddressError, hasSessions, PoolerError } from './pooler.ts';
import {
  connectionOptions,
  migrationDialect,
  openReplicas,
  openSharedPools,
  type PostgresSettings,
} from './postgres.ts';
import type { BoundedPool } from './postgres-pool.ts';
import { openReadReplicas } from './read-replicas.ts';
import { reserveOf, setReserve } from './reserve.ts';
import { measurePostgres, measureSqlite, type Space } from './space.ts';
import { openPools, type SqliteSettings, SqliteThreadsDialect } from './sqlite.ts';
import { rememberFile } from './sqlite-file.ts';
import { openStatementLog, type StatementObserver } from './statement-log.ts';
import type { Tables } from './tables.ts';
import { ReadOnlyError } from './unavailable.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export type Database = {
  db: Kysely<Tables>;
  /**
   * For searches and later pages of the catalogue: reads alone, which may take long. They hold only a share of the readers
   * and connections, so that sessions, single books and orders always find one.
   */
  listDb: Kysely<Tables>;
  /** The same for the desk: it never reads a replica, so that what an admin has changed is shown at once. */
  deskDb: Kysely<Tables>;
  catalogueVersion: CatalogueVersion;
  engine: 'sqlite' | 'postgres';
  /** What each pool of connections, or of SQLite's threads, does right now. Those of replicas are left out. */
  pools(): Readonly<Record<string, PoolUsage>>;
  /** From then on the observer is told of each statement, except those on replicas. */
  observeStatements(observer: StatementObserver): void;
  /** Whether lists go to each replica, by the replica's host and port. */
  replicas(): readonly { name: string; isUsed: boolean }[];
  /** How much space the database takes, and on SQLite how much its disk has. */
  space(): Promise<Space>;
  /** @throws {UnavailableError} when SQLite's file was removed or replaced since it was opened. */
  checkFile(): Promise<void>;
  close(): Promise<void>;
};

type PostgresEvents = {
  /** Called with the error of an idle connection that broke, and not for further ones soon after it. */
  onError?: (error: Error) => void;
  /** Called with a sentence when a replica cannot be used for lists, and when it can be used again. */
  onReplica?: (message: string) => void;
  /** Called with a sentence when changes of the catalogue have not been heard of for a while, and when they are again. */
  onListener?: (message: string) => void;
};

export type OpenOptions = PostgresEvents & {
  /** Called with the name of each migration that is about to be applied, unless the database is new. */
  onMigration?: (name: string) => void;
  /** Called with the names of the migrations that were applied, unless there were none. */
  onMigrated?: (names: readonly string[]) => void;
  /** For a command beside the store: a database that is not of this version is refused, and stays as it is. */
  isReadAsItIs?: boolean;
};

/**
 * Opens the database and brings its tables up to date. A missing SQLite file is created.
 * @throws {MigrationError} if another version of the store made the database; {@link PoolerError} if notifications
 * cannot arrive; {@link DirectAddressError} with the error at `directUrl`, where there is one; or the engine's error, for
 * example because the server cannot be reached, the file is not a database, or a migration failed.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  {
    onError = () => {},
    onReplica = () => {},
    onListener = () => {},
    onMigration = () => {},
    onMigrated = () => {},
    isReadAsItIs = false,
  }: OpenOptions = {},
): Promise<Database> {
  // A migration may take long.
  let isLimited = false;
  const database =
    settings.engine === 'sqlite'
      ? await openSqlite(settings, { isLimited: () => isLimited, onError })
      : openPostgres(settings, { onError, onReplica, onListener });
  try {
    const names = await prepare(settings, database.db, { isReadAsItIs, onMigration });
    if (names.length > 0) onMigrated(names);
  } catch (error) {
    await database.close();
    throw error;
  }
  isLimited = true;
  return database;
}

/** @returns the names of the migrations that were applied. */
async function prepare(
  settings: DatabaseSettings,
  db: Kysely<Tables>,
  { isReadAsItIs, onMigration }: { isReadAsItIs: boolean; onMigration(name: string): void },
): Promise<string[]> {
  const bringUpToDate = async (db: Kysely<Tables>): Promise<string[]> => {
    if (!isReadAsItIs) return await migrate(db, migrations, onMigration);
    await checkMigrated(db, migrations);
    return [];
  };
  if (settings.engine === 'sqlite') return await bringUpToDate(db);
  const identity = settings.directUrl === undefined ? undefined : await identityOf(db);
  const direct = directSettings(settings);
  const directDb = new Kysely<Tables>({ dialect: migrationDialect(direct) });
  try {
    const options = { ...connectionOptions(direct), query_timeout: direct.connectTimeoutMs };
    if (!(await hasSessions(options))) throw new PoolerError('no-sessions');
    if (identity !== undefined && identity !== (await identityOf(directDb))) {
      throw new PoolerError('another-database');
    }
    const names = await bringUpToDate(directDb);
    if (!isReadAsItIs) await checkWritable(directDb);
    return names;
  } catch (error) {
    throw settings.directUrl === undefined ? error : new DirectAddressError(error);
  } finally {
    await directDb.destroy();
  }
}

/** Where the tables are up to date, only the first change would notice a standby that has not taken over yet. */
async function checkWritable(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"
  `.execute(db);
  if (rows[0]?.isReadOnly) throw new ReadOnlyError();
}

const directSettings = (settings: PostgresSettings): PostgresSettings => ({
  ...settings,
  url: settings.directUrl ?? settings.url,
});

/** @returns a text that another database, or one of another server, does not have. It is read in a transaction. */
async function identityOf(db: Kysely<Tables>): Promise<string> {
  return await db.transaction().execute(async (db) => {
    const { rows } = await sql<{ identity: string }>`
      select concat_ws(' ', current_database(), extract(epoch from pg_postmaster_start_time())) as identity
    `.execute(db);
    return rows[0]?.identity ?? '';
  });
}

async function openSqlite(
  settings: SqliteSettings,
  options: { isLimited(): boolean; onError(error: Error): void },
): Promise<Database> {
  const { writer, readers, listReaders, close } = openPools(settings, options);
  try {
    // The first statement opens the file, and creates it: the readers cannot.
    await writer.execute('', []);
  } catch (error) {
    await close();
    throw error;
  }
  const checkFile = await rememberFile(settings.file);
  const changes = countSqliteChanges(settings.file);
  const { log, observe } = openStatementLog();
  const listDb = new Kysely<Tables>({
    dialect: new SqliteThreadsDialect({ readers: listReaders, writer: listReaders }),
    log,
  });
  return {
    db: new Kysely<Tables>({ dialect: new SqliteThreadsDialect({ readers, writer }), log }),
    listDb,
    deskDb: listDb,
    catalogueVersion: createCatalogueVersion(changes.count),
    engine: 'sqlite',
    pools: () => ({ writer: writer.usage, readers: readers.usage, lists: listReaders.usage }),
    observeStatements: observe,
    replicas: () => [],
    space: () => measureSqlite(settings.file),
    checkFile,
    async close() {
      changes.close();
      await close();
    },
  };
}

/** A restart of a server breaks all of its idle connections, within this time of each other. */
const restartMs = 10_000;

/** @returns a function that passes on the first of several errors. */
function firstOfMany(onError: (error: Error) => void): (error: Error) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - lastAt > restartMs) onError(error);
    lastAt = now;
  };
}

function openPostgres(
  settings: PostgresSettings,
  { onError: onEachError, onReplica, onListener }: Required<PostgresEvents>,
): Database {
  const onError = firstOfMany(onEachError);
  const pools = openSharedPools(settings, onError);
  const { log, observe } = openStatementLog();
  const handleOf = (pool: BoundedPool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log });
  const db = handleOf(pools.statements);
  if (pools.reserve) setReserve(db, handleOf(pools.reserve));
  const primaryListDb = pools.lists ? handleOf(pools.lists) : db;
  const listener = listenForPostgresChanges(directSettings(settings), {
    notify: (channel) => sql`notify ${sql.ref(channel)}`.execute(reserveOf(db)),
    onListener,
  });
  const catalogueVersion = createCatalogueVersion(listener.changes);
  const { version } = catalogueVersion;
  const replicas = openReplicas(settings, onError);
  const reading =
    replicas.length > 0
      ? openReadReplicas({ replicas, db, primaryListDb, version, onReplica })
      : { listDb: primaryListDb, usage: () => [] };
  const { listDb } = reading;
  return {
    db,
    listDb,
    deskDb: primaryListDb,
    catalogueVersion,
    engine: 'postgres',
    pools: () =>
      Object.fromEntries(Object.entries(pools).flatMap(([name, pool]) => (pool ? [[name, pool.usage]] : []))),
    observeStatements: observe,
    replicas: reading.usage,
    space: () => measurePostgres(reserveOf(db)),
    async checkFile() {},
    async close() {
      await listener.close();
      const handles = new Set([listDb, primaryListDb, reserveOf(db), db]);
      await Promise.all([...handles].map((handle) => handle.destroy()));
    },
  };
}
