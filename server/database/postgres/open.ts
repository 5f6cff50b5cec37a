/** Opens the store's database on PostgreSQL. */

import { Kysely, sql } from 'kysely';
import { createCatalogueVersion } from '../catalogue-version.ts';
import type { Space } from '../engine.ts';
import { reserveOf, setReserve } from '../reserve.ts';
import { openStatementLog } from '../statement-log.ts';
import type { Db, Tables } from '../tables.ts';
import { ReadOnlyError } from '../unavailable.ts';
import { listenForChanges } from './changes.ts';
import { checkServer } from './check-server.ts';
import type { PostgresSettings } from './client.ts';
import { migrationDialect, openSharedPools, StoreDialect } from './dialect.ts';
import { DirectAddressError, OtherDatabaseError } from './fault.ts';
import type { BoundedPool } from './pool.ts';

export type PostgresEvents = {
  /** Called with the error of an idle connection that broke, and not for further ones soon after it. */
  onError?: (error: Error) => void;
  /** Called with a sentence when changes of the catalogue have not been heard of for a while, and when they are again. */
  onListener?: (message: string) => void;
};

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

export function openPostgres(
  settings: PostgresSettings,
  { onError: onEachError, onListener }: Required<PostgresEvents>,
) {
  const onError = firstOfMany(onEachError);
  const pools = openSharedPools(settings, onError);
  const { log, observe } = openStatementLog();
  const handleOf = (pool: BoundedPool) => new Kysely<Tables>({ dialect: new StoreDialect({ pool }), log });
  const db = handleOf(pools.statements);
  if (pools.reserve) setReserve(db, handleOf(pools.reserve));
  const listDb = pools.lists ? handleOf(pools.lists) : db;
  const listener = listenForChanges(directSettings(settings), {
    notify: (channel) => sql`notify ${sql.ref(channel)}`.execute(reserveOf(db)),
    onListener,
  });
  return {
    db,
    listDb,
    catalogueVersion: createCatalogueVersion(listener.changes),
    engine: 'postgres' as const,
    pools: () =>
      Object.fromEntries(Object.entries(pools).flatMap(([name, pool]) => (pool ? [[name, pool.usage]] : []))),
    observeStatements: observe,
    space: () => measureSpace(reserveOf(db)),
    checkFile: async () => {},
    async close() {
      await listener.close();
      const handles = new Set([listDb, reserveOf(db), db]);
      await Promise.all([...handles].map((handle) => handle.destroy()));
    },
  };
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
  const directDb = new Kysely<Tables>({ dialect: migrationDialect(directSettings(settings)) });
  try {
    if (identity !== undefined && identity !== (await identityOf(directDb))) throw new OtherDatabaseError();
    const names = await bringUpToDate(directDb);
    if (!isReadAsItIs) await checkWritable(directDb);
    return names;
  } catch (error) {
    throw settings.directUrl === undefined ? error : new DirectAddressError(error);
  } finally {
    await directDb.destroy();
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

/** One connection without time limits, to the server itself. */
export function openServer(settings: PostgresSettings) {
  const db = new Kysely<Tables>({ dialect: migrationDialect(directSettings(settings)) });
  return { db, close: () => db.destroy() };
}
