import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isSelect, type PoolUsage } from '../engine.ts';
import { BusyError } from '../unavailable.ts';
import { setUpSession } from './session.ts';

export type PostgresSettings = {
  engine: 'postgres';
  /** A URL `postgres://…`. With `directUrl` it may be a pooler's, where the next transaction may run in another session of the server. */
  url: string;
  directUrl: string | undefined;
  poolSize: number;
  connectTimeoutMs: number;
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

// The store's bigint columns hold milliseconds, which fit exactly into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export const connectionOptions = ({ url, connectTimeoutMs }: PostgresSettings) => ({
  connectionString: url,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  application_name: 'colophon',
});

/** The store gives up a statement this much later than the server: the server is lost by then, or a pooler removed its limit. */
const graceMs = 1_000;
/** How many requests may wait for each connection: pg-pool has no limit. */
const maxWaitingEach = 100;
/** How long statements may still run when a pool ends. A server that hangs never ends them. */
const endMs = 500;

/** Statements with more values are not prepared: a connection would keep one for each length of a list. */
const maxPreparedValues = 20;

export type PoolOptions = {
  size: number;
  statementMs: number;
  readMs?: number;
  /** PostgreSQL plans a prepared statement once for all values. A search must be planned for its words. */
  isPrepared?: boolean;
};

type StorePool = PostgresPool & { usage(): PoolUsage };

export function openPool(
  settings: PostgresSettings,
  { size, statementMs, readMs = statementMs, isPrepared = false }: PoolOptions,
  onError: (error: Error) => void,
): StorePool {
  const pool = new pg.Pool({
    ...connectionOptions(settings),
    query_timeout: statementMs && statementMs + graceMs,
    onConnect: (client) => (settings.directUrl ? undefined : setUpSession(client, statementMs)),
    max: size,
    // One connection stays open: the server may refuse a new one.
    min: 1,
  });
  pool.on('error', (error) => {
    // pg-pool adds the whole client to the error, with the key that cancels its statements, which must not be logged.
    Reflect.deleteProperty(error, 'client');
    onError(error);
  });
  // The error of a connection in use is that of its statement; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));

  /** Lends a connection. After an error that is not the server's answer it is closed: `pg` would use it again. */
  const lend = (client: pg.PoolClient): PostgresPoolClient => {
    let isLost = false;
    const query = async (text: string, values: readonly unknown[] = []) => {
      // A read within a transaction may wait for the locks of the writes before it.
      const isRead = client.getTransactionStatus() !== 'T' && isSelect(text);
      const isNamed = isPrepared && values.length > 0 && values.length <= maxPreparedValues;
      const options = {
        ...(isRead && { query_timeout: readMs && readMs + graceMs }),
        ...(isNamed && { name: hash('sha256', text, 'base64url').slice(0, 32) }),
      };
      return await client.query({ text, values: [...values], ...options }).catch((error: unknown) => {
        isLost ||= !(error instanceof pg.DatabaseError);
        throw error;
      });
    };
    return {
      // The store does not use cursors, for which Kysely's type differs.
      query: query as unknown as PostgresPoolClient['query'],
      release: (isBroken = false) => client.release(isBroken || isLost),
    };
  };
  return {
    options: pool.options,
    async connect() {
      if (pool.waitingCount >= size * maxWaitingEach)
        throw new BusyError('too many requests wait for a connection');
      return lend(await pool.connect());
    },
    usage: () => ({ size, inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    async end() {
      await Promise.race([pool.end(), pause(endMs, undefined, { ref: false })]);
    },
  };
}
