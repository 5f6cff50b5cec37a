/**
 * Sends lists to read replicas, PostgreSQL's streaming standbys (docs/decisions/0031). A list goes to a replica that
 * has replayed at least the last change of the catalogue that this node knows of, otherwise to the primary. A list
 * that fails on a replica goes to the primary: lists never fail because of a replica.
 */

import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type pg from 'pg';
import type { Tables } from '../tables.ts';
import { BusyError, codeOf, isUnavailable } from '../unavailable.ts';
import { type Replica, StoreAdapter } from './dialect.ts';
import { WaitTimeoutError } from './pool.ts';
import { isPooled } from './pooler.ts';

/** The replicas, and the primary that they follow. */
type ReplicaOptions = {
  replicas: readonly Replica[];
  /** For short statements, on the primary. */
  db: Kysely<Tables>;
  /** For lists, on the primary. */
  primaryListDb: Kysely<Tables>;
  /** The catalogue's version; NaN while it is unknown. */
  version(): number;
  /** Called with a sentence when a replica cannot be used, and when it can be used again. */
  onReplica(message: string): void;
};

/** A place in the log that replicas replay. It can be compared with places of the same database and timeline only. */
type LogPosition = { database: string; timeline: number; bytes: number };

/**
 * The primary's position. Read after a commit has returned, it is after the commit's record. It is the insert position,
 * not the flush position: with `synchronous_commit=off` a commit returns before it is flushed.
 */
const primaryPosition = sql<LogPosition>`
  select (select system_identifier from pg_control_system()) || '/' || current_database() as database,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
    (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes`;

/**
 * A replica's position. A replica learns of its primary's new timeline while it replays, and writes this down some time
 * later: until then it is not used.
 */
const replicaPosition = `
  select (select system_identifier from pg_control_system()) || '/' || current_database() as database,
    greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
    (pg_last_wal_replay_lsn() - '0/0')::bigint as bytes, pg_is_in_recovery() as "isReplica"`;

/** How soon the position of a replica that lags is queried again; the time doubles up to the second. */
const lagMs = { first: 20, last: 1_000 };
/** How soon a replica that failed is tried again. */
const failureMs = 1_000;
/** A connection's position is queried after this time, too: its server may have stopped being a replica. */
const checkMs = 1_000;

/** The replica has not replayed the last change yet. */
class BehindError extends Error {}
/** The server does not replay this primary's log. */
class NotAReplicaError extends Error {}

/**
 * @returns the Kysely handle for lists; closing it closes the replicas' pools, and not the primary's. `usage` says whether
 * lists go to each replica.
 */
export function openReadReplicas(options: ReplicaOptions): {
  listDb: Kysely<Tables>;
  usage(): { name: string; isUsed: boolean }[];
} {
  const { db, primaryListDb, version } = options;
  let lastPosition: { version: number; position: LogPosition } | undefined;
  let isReadingPosition = false;
  let canReadPosition = true;
  const report = reporter(options.onReplica);

  const readPrimaryPosition = async (): Promise<void> => {
    // Read the version first: the position then comes after every change that the version counts.
    const current = version();
    if (isReadingPosition || Number.isNaN(current)) return;
    isReadingPosition = true;
    try {
      const [position] = (await primaryPosition.execute(db)).rows;
      if (position) lastPosition = { version: current, position };
      canReadPosition = true;
      report(true, 'lists go to replicas again');
    } catch (error) {
      // The next list tries again.
      if (isUnavailable(error)) return;
      canReadPosition = false;
      report(false, `lists stay on the primary: ${messageOf(error)}`);
    } finally {
      isReadingPosition = false;
    }
  };

  /** @returns what a replica must have replayed; undefined while that is unknown, also because the version is (NaN). */
  const required = (): LogPosition | undefined => {
    if (lastPosition?.version === version()) return lastPosition.position;
    readPrimaryPosition();
    return undefined;
  };

  const replicas = options.replicas.map((replica) => watchReplica(replica, required, options.onReplica));

  const run = async <Row>(query: CompiledQuery): Promise<{ rows: Row[] }> => {
    const position = required();
    const [replica] = position
      ? replicas.filter(({ isUsable }) => isUsable()).sort((one, other) => one.load() - other.load())
      : [];
    const rows = position && (await replica?.tryList<Row>(query, position));
    return rows ? { rows } : await primaryListDb.executeQuery<Row>(query as CompiledQuery<Row>);
  };

  const dialect = readingDialect({
    run,
    close: async () => {
      await Promise.all(replicas.map(({ close }) => close()));
    },
  });
  return {
    listDb: new Kysely<Tables>({ dialect }),
    usage: () => replicas.map(({ name, isUsable }) => ({ name, isUsed: canReadPosition && isUsable() })),
  };
}

function watchReplica(
  { name, pool }: Replica,
  required: () => LogPosition | undefined,
  onReplica: (message: string) => void,
) {
  /** The position that each connection's server has replayed at least. */
  const checks = new WeakMap<pg.PoolClient, { position: LogPosition; checkedAt: number }>();
  let isSuspended = false;
  const report = reporter(onReplica);
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  /** @throws {BehindError | NotAReplicaError} or the connection's error. */
  const checkPosition = async (client: pg.PoolClient, needed: LogPosition): Promise<void> => {
    if (isPooled(client)) {
      throw new NotAReplicaError('it is a pooler, which may send a list to another server than the check');
    }
    const check = checks.get(client);
    if (check && isAtLeast(check.position, needed) && performance.now() - check.checkedAt < checkMs) return;
    const { rows } = await client.query<LogPosition & { isReplica: boolean }>(replicaPosition, []);
    const [position] = rows;
    if (!position?.isReplica) throw new NotAReplicaError('it is not a replica');
    if (position.database !== needed.database) throw new NotAReplicaError('it has another database');
    if (position.timeline !== needed.timeline)
      throw new NotAReplicaError('it does not follow the primary yet');
    if (position.bytes < needed.bytes) throw new BehindError('it has not replayed the last change');
    checks.set(client, { position, checkedAt: performance.now() });
  };

  const withConnection = async <Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    try {
      return await use(client);
    } finally {
      client.release();
    }
  };

  /** No list goes to the replica until it has replayed what they need. */
  const suspend = (error: unknown, ms: number): void => {
    isSuspended = true;
    // A short lag follows each change.
    if (!(error instanceof BehindError) || ms === lagMs.last) {
      report(false, `the replica ${name} is not used for lists: ${messageOf(error)}`);
    }
    timer = setTimeout(async () => {
      if (isClosed) return;
      try {
        const needed = required();
        if (!needed) throw error;
        await withConnection((client) => checkPosition(client, needed));
        isSuspended = false;
        report(true, `the replica ${name} is used for lists again`);
      } catch (next) {
        if (!isClosed) suspend(next, next instanceof BehindError ? Math.min(ms * 2, lagMs.last) : failureMs);
      }
    }, ms).unref();
  };

  return {
    name,
    isUsable: () => !isSuspended,
    load: () => pool.usage.inUse + pool.usage.waiting,

    /** @returns the rows; undefined when the list must go to the primary instead. */
    async tryList<Row>(query: CompiledQuery, needed: LogPosition): Promise<Row[] | undefined> {
      let isChecked = false;
      try {
        return await withConnection(async (client) => {
          await checkPosition(client, needed);
          isChecked = true;
          return (await client.query(query.sql, [...query.parameters])).rows as Row[];
        });
      } catch (error) {
        const isOfReplica = isChecked ? isLost(error) : !isFull(error);
        if (isOfReplica && !isSuspended && !isClosed) {
          suspend(error, error instanceof BehindError ? lagMs.first : failureMs);
        }
        return undefined;
      }
    },

    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await pool.end();
    },
  };
}

/** @returns a function that passes on the first of several messages about one state. */
function reporter(onReplica: (message: string) => void) {
  let isGood = true;
  return (isGoodNow: boolean, message: string): void => {
    if (isGoodNow !== isGood) onReplica(message);
    isGood = isGoodNow;
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isAtLeast = (position: LogPosition, needed: LogPosition): boolean =>
  position.database === needed.database &&
  position.timeline === needed.timeline &&
  position.bytes >= needed.bytes;

/** PostgreSQL's condition for a statement that has reached its time limit. */
const queryCanceled = '57014';

/** The list failed with its server, and not because it took too long there. */
const isLost = (error: unknown): boolean => isUnavailable(error) && codeOf(error) !== queryCanceled;

/** All connections to a replica are in use. */
const isFull = (error: unknown): boolean => error instanceof BusyError || error instanceof WaitTimeoutError;

type Reader = {
  run<Row>(query: CompiledQuery): Promise<{ rows: Row[] }>;
  close(): Promise<void>;
};

/** Each query chooses its server, so there are no transactions. */
function readingDialect({ run, close }: Reader): Dialect {
  const refuse = async (): Promise<never> => {
    throw new Error('the handle for lists has no transactions and no streams');
  };
  const connection = {
    executeQuery: run,
    // biome-ignore lint/correctness/useYield: the store reads in pages, and Kysely requires the method.
    async *streamQuery(): AsyncGenerator<never> {
      await refuse();
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: close,
  };
  return {
    createDriver: () => driver,
    createAdapter: () => new StoreAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
