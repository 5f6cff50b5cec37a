import { Kysely, type Logger, sql } from 'kysely';
import { createCatalogueVersion } from '../catalogue-version.ts';
import type { Space } from '../engine.ts';
import type { Db, Tables } from '../tables.ts';
import { ReadOnlyError } from '../unavailable.ts';
import { StoreDialect } from './dialect.ts';
import { DirectAddressError, OtherDatabaseError } from './fault.ts';
import { listenForChanges } from './listener.ts';
import { openPool, type PoolOptions, type PostgresSettings } from './pools.ts';
import { checkServer } from './session.ts';

export type PostgresEvents = {
  onError?: (error: Error) => void;
  /** Called with a sentence when changes of the catalogue have not been heard of for a while, and when they are again. */
  onListener?: (message: string) => void;
};

/** Longer than a check of readiness waits. */
const healthTimeoutMs = 2_000;

export function openPostgres(
  settings: PostgresSettings,
  { onError, onListener, log }: Required<PostgresEvents> & { log: Logger },
) {
  const { poolSize, readTimeoutMs: readMs, statementTimeoutMs: statementMs } = settings;
  const open = (options: PoolOptions) => {
    const pool = openPool(settings, options, onError);
    return { usage: pool.usage, db: new Kysely<Tables>({ dialect: new StoreDialect({ pool }), log }) };
  };
  const listSize = Math.max(1, Math.round(poolSize / 5));
  const statements = open({
    size: Math.max(1, poolSize - listSize),
    ...{ statementMs, readMs },
    isPrepared: settings.directUrl === undefined,
  });
  const lists = open({ size: listSize, statementMs: readMs });
  const health = open({ size: 1, statementMs: healthTimeoutMs });
  const listener = listenForChanges(directSettings(settings), {
    notify: (channel) => sql`notify ${sql.ref(channel)}`.execute(health.db),
    onListener,
  });
  return {
    db: statements.db,
    listDb: lists.db,
    healthDb: health.db,
    catalogueVersion: createCatalogueVersion(listener.changes),
    engine: 'postgres' as const,
    pools: () => ({ statements: statements.usage(), lists: lists.usage() }),
    space: () => measureSpace(lists.db),
    checkFile: async () => {},
    async close() {
      await listener.close();
      await Promise.all([statements, lists, health].map(({ db }) => db.destroy()));
    },
  };
}

/** One connection without time limits, to the server itself: on a large table a migration takes long, and so may the wait for another node's. */
export function openServer(settings: PostgresSettings) {
  const pool = openPool(directSettings(settings), { size: 1, statementMs: 0 }, () => {});
  const db = new Kysely<Tables>({ dialect: new StoreDialect({ pool }) });
  return { db, close: () => db.destroy() };
}

/**
 * Brings the tables up to date at the direct address, where there is one.
 * @param db at the address of the pools.
 * @throws {DirectAddressError} with the error at `directUrl`.
 */
export async function prepareDirectly(
  settings: PostgresSettings,
  db: Kysely<Tables>,
  {
    isReadAsItIs,
    onWarning,
    bringUpToDate,
  }: {
    isReadAsItIs: boolean;
    onWarning(warning: string): void;
    bringUpToDate(db: Kysely<Tables>): Promise<string[]>;
  },
): Promise<string[]> {
  const identity = settings.directUrl === undefined ? undefined : await identityOf(db);
  const { warnings } = await checkServer(db);
  for (const warning of warnings) onWarning(warning);
  const { db: directDb, close } = openServer(settings);
  try {
    if (identity !== undefined && identity !== (await identityOf(directDb))) throw new OtherDatabaseError();
    const names = await bringUpToDate(directDb);
    if (!isReadAsItIs) await checkWritable(directDb);
    return names;
  } catch (error) {
    throw settings.directUrl === undefined ? error : new DirectAddressError(error);
  } finally {
    await close();
  }
}

/** A standby that has not taken over yet is noticed here: with tables that are up to date, only the first change would notice it. */
async function checkWritable(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"
  `.execute(db);
  if (rows[0]?.isReadOnly) throw new ReadOnlyError();
}

export const directSettings = (settings: PostgresSettings): PostgresSettings => ({
  ...settings,
  url: settings.directUrl ?? settings.url,
  directUrl: undefined,
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

async function measureSpace(db: Db): Promise<Space> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return { databaseBytes: Number(rows[0]?.bytes) };
}
