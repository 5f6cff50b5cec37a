import { Kysely, type Logger, sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { createCatalogueVersion } from '../catalogue-version.ts';
import { checkMigrated, OutdatedError } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import type { Tables } from '../tables.ts';
import { StoreDialect } from './dialect.ts';
import { listenForChanges } from './listener.ts';
import { openPool, type PoolOptions, type PostgresSettings } from './pools.ts';
import { checkDefaults } from './session.ts';

export type PostgresEvents = {
  onError?: (error: Error) => void;
  onListener?: (message: string) => void;
};

/** The timeout is longer than a check of readiness waits. */
const healthTimeoutMs = 2_000;

export async function openPostgres(
  settings: PostgresSettings,
  { onError, onListener, log }: Required<PostgresEvents> & { log: Logger },
) {
  const { poolSize, readTimeoutMs: readMs, statementTimeoutMs: statementMs, directUrl } = settings;
  const open = (options: PoolOptions) => {
    const pool = openPool(settings, options, onError);
    return { usage: pool.usage, db: new Kysely<Tables>({ dialect: new StoreDialect({ pool }), log }) };
  };
  const listSize = Math.max(1, Math.round(poolSize / 5));
  const statements = open({
    size: Math.max(1, poolSize - listSize),
    ...{ statementMs, readMs },
    isPrepared: directUrl === undefined,
  });
  const lists = open({ size: listSize, statementMs: readMs });
  const health = open({ size: 1, statementMs: healthTimeoutMs });
  const closePools = () => Promise.all([statements, lists, health].map(({ db }) => db.destroy()));
  try {
    if (directUrl !== undefined) await checkPooler(statements.db);
  } catch (error) {
    await closePools();
    throw error;
  }
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
    async space() {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database()) as bytes
      `.execute(lists.db);
      return { databaseBytes: Number(rows[0]?.bytes) };
    },
    checkFile: async () => {},
    async close() {
      await listener.close();
      await closePools();
    },
  };
}

export function openServer(settings: PostgresSettings) {
  const pool = openPool(directSettings(settings), { size: 1, statementMs: 0 }, () => {});
  return new Kysely<Tables>({ dialect: new StoreDialect({ pool }) });
}

const directSettings = (settings: PostgresSettings): PostgresSettings => ({
  ...settings,
  url: settings.directUrl ?? settings.url,
  directUrl: undefined,
});

async function checkPooler(db: Kysely<Tables>): Promise<void> {
  await checkDefaults(db);
  await checkMigrated(db, migrations).catch((error: unknown) => {
    if (!(error instanceof OutdatedError)) throw error;
    throw new StartError('DATABASE_DIRECT_URL: names another database than DATABASE_URL.');
  });
}
