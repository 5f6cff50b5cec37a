/** Connections to PostgreSQL: their time limits, and their prepared statements. */

import { createHash } from 'node:crypto';
import pg from 'pg';
import { isSelect, planEachTimeComment } from '../engine.ts';
import { cancelQuery } from './cancel-query.ts';
import { setUpSession } from './session.ts';

/** How a PostgreSQL database is reached, and its limits. */
export type PostgresSettings = {
  engine: 'postgres';
  /** `postgres://…`; with `directUrl` a pooler's, where the next transaction may run in another session of the server. */
  url: string;
  /** The server's own address, for migrations and notifications, which need their own session. */
  directUrl: string | undefined;
  /** How many connections at most. */
  poolSize: number;
  /** How long a request waits for a connection. */
  connectTimeoutMs: number;
  /** How long a read may take, and any other statement. */
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

// bigint columns hold milliseconds, which a number holds exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How long statements on a pool's connections may take. */
export type TimeLimits = {
  /** For every statement; 0: no limit. The server enforces it. */
  statementTimeoutMs: number;
  /** For a read outside a transaction, where it is less. The store enforces it, by cancelling. */
  readTimeoutMs?: number | undefined;
};

/** How much longer than its limit the store waits for a response before it regards the server as lost. */
const graceMs = 1_000;

export function openPool(
  settings: PostgresSettings,
  size: number,
  limits: TimeLimits,
  onError: (error: Error) => void,
  peers = new Set<PreparingClient>(),
): pg.Pool {
  const options: PreparingClientOptions = {
    ...connectionOptions(settings),
    limits,
    peers,
    isPooled: settings.directUrl !== undefined,
  };
  // One connection of an idle pool stays: the server may refuse the next one.
  const pool = new pg.Pool({
    ...options,
    Client: PreparingClient,
    onConnect: (client) => (client instanceof PreparingClient ? client.setUp() : undefined),
    max: size,
    min: 1,
  });
  // The pool replaces a broken connection when it needs one; without a listener the error would end the process. The
  // pool listens while a connection is idle. A connection in use that breaks between two queries fails the second one.
  pool.on('error', (error) => {
    // pg-pool adds the whole client to the error, its cancel key included, which must not be logged.
    Reflect.deleteProperty(error, 'client');
    onError(error);
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The options of every connection of the store, for `pg`. */
export const connectionOptions = ({ url, connectTimeoutMs }: PostgresSettings) => ({
  connectionString: url,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  application_name: 'colophon',
});

type PreparingClientOptions = pg.ClientConfig & {
  limits?: TimeLimits;
  /** All open connections to the same address, this one included. */
  peers?: Set<PreparingClient>;
  /** The address is a pooler's. */
  isPooled?: boolean;
};

/** After a lost connection, others that have received nothing for this long are regarded as lost too. */
const silentMs = 1_000;

/**
 * Prepares each statement once per connection: values are bound, so the texts are few. A single read is cancelled at its
 * limit. A connection whose query gets no response is closed: otherwise the late result would arrive during the next query.
 * Behind a pooler nothing is prepared or set, which would stay behind for other clients, and every time limit is kept by cancelling.
 *
 * The results come by callbacks, and the time limits are its own: for its promises and its `query_timeout`, `pg` assigns a function to a
 * property of each query. V8 allocates such a function among the old objects, where it keeps the query, its values and its rows until the
 * next full collection of garbage (docs/decisions/0059).
 */
export class PreparingClient extends pg.Client {
  readonly #options: PreparingClientOptions;
  readonly #limits: TimeLimits;
  /** When it last sent something or received a response. */
  #activeAt = 0;

  constructor(options: PreparingClientOptions = {}) {
    super(options);
    // The address of the database may have one, which would hand on the connection while its statement still runs.
    (
      this as unknown as { connectionParameters: { query_timeout: number } }
    ).connectionParameters.query_timeout = 0;
    this.#options = options;
    this.#limits = options.limits ?? { statementTimeoutMs: 0 };
  }

  /** Call it once, before the first query. */
  async setUp(): Promise<void> {
    const { peers, isPooled } = this.#options;
    if (!isPooled) await setUpSession(this, this.#limits.statementTimeoutMs);
    this.#activeAt = performance.now();
    peers?.add(this);
    this.once('end', () => peers?.delete(this));
  }

  // biome-ignore lint/suspicious/noExplicitAny: an override has to fit each of pg's overloads, of which the store uses one.
  override query(...args: any[]): any {
    // Kysely passes both, and setUpSession the text alone: its query is a read too, so a new connection without a response is soon lost.
    const [text, values = []] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || args.length > 2) {
      throw new TypeError('a query is a text and its values');
    }
    const { isPooled } = this.#options;
    const isPreparable = values.length > 0 && !text.endsWith(planEachTimeComment) && !isPooled;
    const { readTimeoutMs, statementTimeoutMs } = this.#limits;
    const readLimitMs = this.#isSingleRead(text) ? readTimeoutMs : undefined;
    const cancelMs = readLimitMs ?? (isPooled ? statementTimeoutMs : 0);
    const endMs =
      cancelMs > 0
        ? cancelMs + Math.min(graceMs, cancelMs)
        : statementTimeoutMs && statementTimeoutMs + graceMs;
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    let cancelling: Promise<boolean> | undefined;
    const cancel = () => {
      cancelling = cancelQuery(this, this.#options);
    };
    const cancelTimer = cancelMs > 0 ? setTimeout(cancel, cancelMs) : undefined;
    let settle: (() => void) | undefined;
    // The request to cancel it may still reach the next query: so there is none.
    const settleAndEnd = () => {
      this.end().catch(() => {});
      settle?.();
    };
    // A server that disappeared without closing the connection cannot enforce its own timeout.
    const giveUp = () => {
      if (settle) return settleAndEnd();
      reject(new Error('Query read timeout'));
      this.#endSilent();
    };
    const endTimer = endMs > 0 ? setTimeout(giveUp, endMs) : undefined;
    this.#activeAt = performance.now();
    super.query(
      { text, values, name: isPreparable ? statementName(text) : undefined },
      (error: Error | null, result) => {
        clearTimeout(cancelTimer);
        this.#activeAt = performance.now();
        settle = () => {
          clearTimeout(endTimer);
          if (error) reject(error);
          else resolve(result);
        };
        // The caller may send the next query as soon as this one is settled.
        if (cancelling) cancelling.then((isOver) => (isOver ? settle?.() : settleAndEnd()));
        else settle();
      },
    );
    return promise;
  }

  /**
   * The server did not even respond that it cancelled a query: it, or the network, has lost this connection, and perhaps
   * others too. Those that have been silent for a second end, also idle ones, so that no further query waits on them.
   */
  #endSilent(): void {
    this.end().catch(() => {});
    const silentSince = performance.now() - silentMs;
    for (const peer of this.#options.peers ?? []) {
      if (peer.#activeAt < silentSince) peer.connection.stream.destroy();
    }
  }

  /** A read in a transaction may wait for the locks of its writes. */
  #isSingleRead(text: string): boolean {
    return this.getTransactionStatus() !== 'T' && isSelect(text);
  }
}

/** Searches with other numbers of words, and pages with other filters, are other statements: each takes memory in each connection. */
const maxPrepared = 1_000;
const statementNames = new Map<string, string>();

/** @returns undefined for a statement that is not prepared, because so many others are. */
function statementName(text: string): string | undefined {
  const cached = statementNames.get(text);
  if (cached || statementNames.size >= maxPrepared) return cached;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  statementNames.set(text, name);
  return name;
}
