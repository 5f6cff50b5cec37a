/** Kysely on `pg`, and the pools of the store. */

import { PostgresAdapter, PostgresDialect } from 'kysely';
import type { Engine, EngineAdapter } from '../engine.ts';
import { openPool, type PostgresSettings, type PreparingClient, type TimeLimits } from './client.ts';
import { BoundedPool } from './pool.ts';
import { postgresSchema } from './schema.ts';
import { postgresSearch } from './search.ts';
import { postgresTransactions } from './transactions.ts';

const engine: Engine = { name: 'postgres', ...postgresTransactions, ...postgresSchema, ...postgresSearch };

export class StoreAdapter extends PostgresAdapter implements EngineAdapter {
  readonly engine = engine;

  /** The transaction of the migrations has the lock (migrate.ts): behind a pooler, one of the session may never be released. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

export class StoreDialect extends PostgresDialect {
  override createAdapter = () => new StoreAdapter();
}

/** How many requests may wait for each connection of a pool: about as many as it serves while they may wait. */
const waitingPerConnection = { statements: 100, lists: 50 };

/** How many connections of a pool's size are for lists, and how many for sessions and readiness. */
const shareOf = {
  lists: (poolSize: number) => (poolSize === 1 ? 0 : Math.ceil(poolSize / 5)),
  reserve: (poolSize: number) => Math.min(2, Math.floor(poolSize / 4)),
};

/**
 * @returns Kysely's dialects for a PostgreSQL server. `statements` is for short reads, writes and transactions. `reserve` is
 * for the same, but only of sessions and readiness. `lists` is for what may keep a core of the server busy: it holds a
 * fifth of the connections, and its queries end at the limit for reads. Small pools are shared.
 * @param onError called with the error of an idle connection that broke.
 */
export function openSharedPools(
  settings: PostgresSettings,
  onError: (error: Error) => void,
): {
  statements: BoundedPool;
  reserve: BoundedPool | undefined;
  lists: BoundedPool | undefined;
} {
  const { poolSize, connectTimeoutMs: waitMs, readTimeoutMs, statementTimeoutMs } = settings;
  const listSize = shareOf.lists(poolSize);
  const reserveSize = shareOf.reserve(poolSize);
  const peers = new Set<PreparingClient>();
  const openShare = (
    size: number,
    waitingEach: number,
    limits: TimeLimits,
    fallback?: BoundedPool,
  ): BoundedPool =>
    new BoundedPool(
      openPool(settings, size, limits, onError, peers),
      { size, maxWaiting: size * waitingEach, waitMs },
      fallback,
    );
  const limits = { statementTimeoutMs, readTimeoutMs };
  const { statements: each, lists: eachOfLists } = waitingPerConnection;
  const statements = openShare(poolSize - listSize - reserveSize, each, limits);
  return {
    statements,
    reserve: reserveSize > 0 ? openShare(reserveSize, each, limits, statements) : undefined,
    lists:
      listSize > 0
        ? openShare(listSize, eachOfLists, { statementTimeoutMs: readTimeoutMs }, statements)
        : undefined,
  };
}

/**
 * Kysely's dialect for migrations. It has no time limit: on a large table a migration takes long, and so does a wait
 * for that of another node.
 */
export const migrationDialect = (settings: PostgresSettings): StoreDialect =>
  new StoreDialect({ pool: openPool(settings, 1, { statementTimeoutMs: 0 }, () => {}) });
