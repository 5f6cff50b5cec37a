import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, LogEvent } from 'kysely';
import type { CatalogueVersion } from './catalogue-version.ts';
import type { PoolUsage, Space } from './engine.ts';
import { checkMigrated, migrate } from './migrate.ts';
import * as migrations from './migrations/index.ts';
import { atDirectUrl, type DatabaseSettings, openErrorMessage } from './open-error.ts';
import type { PostgresEvents } from './postgres/open.ts';
import { openFile, openSqlite } from './sqlite/open.ts';
import type { Tables } from './tables.ts';
import { canWaitingHelp } from './unavailable.ts';

export type { DatabaseSettings };

export type Database = {
  db: Kysely<Tables>;
  /** A handle for slow reads: they get only a share of the readers or connections, so that sessions and orders always find one. */
  listDb: Kysely<Tables>;
  /** A connection for `/readyz` alone: a full pool says nothing about the server. */
  healthDb: Kysely<Tables>;
  catalogueVersion: CatalogueVersion;
  engine: 'sqlite' | 'postgres';
  pools(): Readonly<Record<string, PoolUsage>>;
  observeStatements(observer: StatementObserver): void;
  space(): Promise<Space>;
  checkFile(): Promise<void>;
  close(): Promise<void>;
};

/** Time of a query in seconds; on SQLite it includes the wait for a thread, on PostgreSQL it excludes the wait for a connection. */
type StatementObserver = (kind: string, seconds: number, error?: unknown) => void;

const kindOf = (node: string): string =>
  /^(Select|Insert|Update|Delete)QueryNode$/.exec(node)?.[1]?.toLowerCase() ?? 'other';

export type OpenOptions = PostgresEvents & {
  onWarning?: (warning: string) => void;
  onMigration?: (name: string) => void;
  onMigrated?: (names: readonly string[]) => void;
  /** Opens the database for a command beside the store. It refuses a database of another version, and does not change it. */
  isReadAsItIs?: boolean;
};

/** Makes a missing SQLite file, and brings the tables up to date. @throws {MigrationError} if another version of the store made the database. */
export async function openDatabase(settings: DatabaseSettings, options: OpenOptions = {}): Promise<Database> {
  const { onError = () => {}, onListener = () => {}, onMigrated = () => {} } = options;
  const names = await prepare(settings, options);
  if (names.length > 0) onMigrated(names);
  let observer: StatementObserver = () => {};
  const log = (event: LogEvent) => {
    const error = event.level === 'error' ? event.error : undefined;
    observer(kindOf(event.query.query.kind), event.queryDurationMillis / 1000, error);
  };
  const database =
    settings.engine === 'sqlite'
      ? await openSqlite(settings, { onError, log })
      : await (await importPostgres()).openPostgres(settings, { onError, onListener, log });
  return {
    ...database,
    observeStatements(next) {
      observer = next;
    },
  };
}

/** A store on SQLite does without `pg`, which takes memory and a part of the start. */
const importPostgres = () => import('./postgres/open.ts');

/** One connection without time limits: a migration may take long, and so may the work of a command. A missing SQLite file is made. */
export const openUnlimited = async (settings: DatabaseSettings) =>
  settings.engine === 'sqlite' ? openFile(settings.file) : (await importPostgres()).openServer(settings);

async function prepare(
  settings: DatabaseSettings,
  { isReadAsItIs = false, onMigration, onWarning = () => {} }: OpenOptions,
): Promise<string[]> {
  await using db = await openUnlimited(settings);
  try {
    if (settings.engine === 'postgres') {
      const { warning, isReadOnly } = await (await import('./postgres/session.ts')).checkServer(db);
      if (warning) onWarning(warning);
      // If the tables are up to date, a standby would otherwise go unnoticed until the first change.
      if (isReadOnly && !isReadAsItIs) throw Object.assign(new Error('read-only'), { code: '25006' });
    }
    if (!isReadAsItIs) return await migrate(db, migrations, onMigration);
    await checkMigrated(db, migrations);
    return [];
  } catch (error) {
    throw atDirectUrl(settings, error);
  }
}

const firstPauseMs = 100;
const maxPauseMs = 2_000;

type WaitOptions = {
  /** How long to try again; 0 tries once. An attempt that has begun is not cut short. */
  startTimeoutMs: number;
  onWaiting(cause: string): void;
  onAvailable(waitedMs: number): void;
};

export async function whenAvailable<Result>(
  attempt: () => Promise<Result>,
  settings: DatabaseSettings,
  { startTimeoutMs, onWaiting, onAvailable }: WaitOptions,
): Promise<Result> {
  const startedAt = performance.now();
  let lastCause: string | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      const result = await attempt();
      if (lastCause !== undefined) onAvailable(performance.now() - startedAt);
      return result;
    } catch (error) {
      const remainingMs = startedAt + startTimeoutMs - performance.now();
      if (remainingMs <= 0 || !canWaitingHelp(error)) throw error;
      const cause = openErrorMessage(error, settings) ?? String(error);
      if (cause !== lastCause) onWaiting(cause);
      lastCause = cause;
      await pause(Math.min(pauseMs, remainingMs));
    }
  }
}
