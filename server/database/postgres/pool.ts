/** A bounded connection pool of `pg`, which works with fewer connections while the server refuses more. */

import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import type { PoolUsage } from '../engine.ts';
import { BusyError, codeOf } from '../unavailable.ts';

/** How many connections a pool lends, and how long its queue is. */
type PoolLimits = {
  /** How many connections at most. */
  size: number;
  /** How many callers may wait for a connection, and for how long. */
  maxWaiting: number;
  waitMs: number;
};

type Waiter = {
  resolve(client: pg.PoolClient | Promise<pg.PoolClient>): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
  hasTimedOut: boolean;
};

/** PostgreSQL's condition `too_many_connections`: of the server, the database or the role. */
const tooManyConnections = '53300';
/** How long the pool opens no more connections after the server has refused one. */
const refusedMs = 5_000;
/** How long statements may still run when a pool ends. */
const endMs = 500;
/** A pool without any connection tries again after this time. */
const retryMs = 100;

/**
 * Lends the connections of a pool. The queue is here and not in `pg-pool`, whose queue has no limit, and which fails a
 * request when the server refuses the connection that was opened for it, although others are about to become free.
 */
export class BoundedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #limits: PoolLimits;
  readonly #fallback: BoundedPool | undefined;
  readonly #waiting: Waiter[] = [];
  readonly #inUse = new Set<pg.PoolClient>();
  #lent = 0;
  /** How many connections may be lent: fewer than the pool's size while the server refuses more. */
  #available: number;
  /** Since the server refused a connection while the pool had none, until it accepts one. */
  #hasNone = false;
  /** Set while the server refuses more connections. */
  #refused: NodeJS.Timeout | undefined;

  /**
   * @param pool never lends more than `limits.size` of its connections.
   * @param fallback lends its connections while the server refuses this pool its first.
   */
  constructor(pool: pg.Pool, limits: PoolLimits, fallback?: BoundedPool) {
    this.#pool = pool;
    this.#limits = limits;
    this.#fallback = fallback;
    this.#available = limits.size;
    pool.on('acquire', (client) => this.#inUse.add(client));
    pool.on('release', (_error, client) => {
      this.#inUse.delete(client);
      this.#lent -= 1;
      // The pool takes the connection back after this event.
      queueMicrotask(() => this.#lend());
    });
  }

  /**
   * @returns a connection; its `release` gives it back.
   * @throws {BusyError} at once, when too many wait already; or the error of a connection that failed.
   */
  connect(): Promise<pg.PoolClient> {
    if (this.#available === 0 && this.#fallback) return this.#fallback.connect();
    if (this.#waiting.length >= this.#limits.maxWaiting) {
      return Promise.reject(new BusyError('too many requests wait for a connection'));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiter.hasTimedOut = true;
        const index = this.#waiting.indexOf(waiter);
        if (index >= 0) this.#waiting.splice(index, 1);
        const isConnecting = index < 0 || this.#hasNone;
        const where = isConnecting ? 'trying to connect' : 'all connections are in use';
        reject(new Error(`timeout exceeded when ${where}`));
      }, this.#limits.waitMs);
      const waiter = { resolve, reject, timer, hasTimedOut: false };
      this.#waiting.push(waiter);
      this.#lend();
    });
  }

  /** How many callers have a connection, and how many wait for one. */
  get usage(): PoolUsage {
    return { size: this.#limits.size, inUse: this.#lent, waiting: this.#waiting.length };
  }

  get options(): pg.PoolOptions {
    return this.#pool.options;
  }

  /** Ends the connections; what still runs on one may take a moment, and then fails: its server may never respond. */
  async end(): Promise<void> {
    const timer = setTimeout(() => {
      for (const client of this.#inUse) (client as unknown as pg.Client).end().catch(() => {});
    }, endMs);
    await this.#pool.end();
    clearTimeout(timer);
  }

  #lend(): void {
    while (this.#lent < this.#available) {
      const waiter = this.#waiting.shift();
      if (!waiter) return;
      this.#lent += 1;
      this.#pool.connect().then(
        (client) => {
          this.#hasNone = false;
          clearTimeout(waiter.timer);
          if (waiter.hasTimedOut) client.release();
          else waiter.resolve(client);
        },
        (error) => this.#handleFailure(waiter, error),
      );
    }
  }

  #handleFailure(waiter: Waiter, error: unknown): void {
    this.#lent -= 1;
    if (codeOf(error) === tooManyConnections) {
      if (!waiter.hasTimedOut) this.#waiting.unshift(waiter);
      this.#shrink();
    } else {
      clearTimeout(waiter.timer);
      waiter.reject(error);
    }
    this.#lend();
  }

  /** The server refuses more connections than those that are lent. Each of them comes back to a request that waits. */
  #shrink(): void {
    this.#available = this.#lent;
    this.#refused ??= setTimeout(() => {
      this.#refused = undefined;
      this.#available = this.#limits.size;
      this.#lend();
    }, refusedMs).unref();
    if (this.#lent > 0) return;
    this.#hasNone = true;
    if (this.#fallback) {
      for (const waiter of this.#waiting.splice(0)) {
        clearTimeout(waiter.timer);
        waiter.resolve(this.#fallback.connect());
      }
    } else {
      setTimeout(() => {
        this.#available ||= 1;
        this.#lend();
      }, retryMs);
    }
  }
}
