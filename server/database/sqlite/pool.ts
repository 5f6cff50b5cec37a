/**
 * The threads that execute SQLite's statements: a wait for the disk or for a lock holds up only statements of the same
 * pool.
 */

import type { PoolUsage } from '../engine.ts';
import { BusyError, UnavailableError } from '../unavailable.ts';
import type { Call, Thread } from './thread.ts';
import { Threads, type ThreadsOptions } from './threads.ts';
import type { StatementFailure, StatementResult } from './worker.ts';

export type PoolOptions = ThreadsOptions & {
  /** With more statements than this in the queue, further ones are rejected. */
  maxQueued: number;
  /** How long a statement may wait in the queue, and how long it may then take. */
  timeoutMs(): number;
  /** Called after each statement. */
  onResult?(): void;
};

/** Executes statements on one thread, which executes nothing else meanwhile. */
export type Lease = {
  execute(sql: string, parameters?: readonly unknown[]): Promise<StatementResult>;
  release(): void;
};

/** The queue of the statements that wait for the threads of a file, and their deadlines. */
export class SqlitePool {
  readonly #options: PoolOptions;
  readonly #threads: Threads;
  /** In the order of their arrival, which is that of their deadlines. */
  readonly #calls = new Set<Call>();
  readonly #queue: Call[] = [];
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#threads = new Threads(options, {
      onResult: (call, error) => {
        this.#calls.delete(call);
        // Those that wait would each wait for the lock again, one after the other.
        if (isLocked(error)) this.#rejectQueue(new BusyError('another process holds the write lock'));
        this.#dispatch();
        this.#options.onResult?.();
      },
      onEnd: (calls, error, hasOpened) => {
        this.#reject(calls, error);
        // A file that cannot be opened now cannot be opened for those that wait either.
        if (!hasOpened) this.#rejectQueue(error);
        if (!this.#isClosed) this.#dispatch();
      },
    });
  }

  /**
   * Executes a statement.
   * @throws {BusyError} at once for a full queue, or when no thread was free in time: nothing was executed.
   * @throws {UnavailableError} when a thread ended, or took too long: a write may have been executed.
   * @throws SQLite's error, with its `errcode`; or the error with which the file could not be opened.
   */
  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ message: { sql, parameters, isInTransaction: false }, resolve, reject });
    });
  }

  /** Reserves a thread for a transaction. @throws as {@link execute}. */
  lease(): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const onThread = (thread: Thread) => resolve(this.#leaseOf(thread));
      const message = { sql: '', parameters: [], isInTransaction: false };
      this.#enqueue({ message, onThread, resolve: () => {}, reject });
    });
  }

  /** How many threads are busy, and how many statements or transactions wait for one. */
  get usage(): PoolUsage {
    const { inUse, sentAhead } = this.#threads.usage;
    return { size: this.#options.size, inUse, waiting: this.#queue.length + sentAhead };
  }

  /** Ends the threads, after the statements that they execute. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#threads.close();
  }

  #leaseOf(thread: Thread): Lease {
    thread.isLeased = true;
    return {
      execute: (sql, parameters = []) =>
        new Promise((resolve, reject) => {
          if (!this.#threads.has(thread)) {
            reject(new UnavailableError('the database’s thread ended'));
            return;
          }
          const isInTransaction = !sql.startsWith('begin');
          const call = this.#record({ message: { sql, parameters, isInTransaction }, resolve, reject });
          thread.send(call);
        }),
      release: () => {
        thread.isLeased = false;
        this.#dispatch();
      },
    };
  }

  #enqueue(call: Omit<Call, 'deadline'>): void {
    if (this.#isClosed) {
      call.reject(new UnavailableError('the database is closed'));
      return;
    }
    if (this.#queue.length >= this.#options.maxQueued) {
      call.reject(new BusyError('too many statements wait for the database'));
      return;
    }
    this.#queue.push(this.#record(call));
    this.#dispatch();
  }

  #record(call: Omit<Call, 'deadline'>): Call {
    const recorded = { ...call, deadline: performance.now() + this.#options.timeoutMs() };
    this.#calls.add(recorded);
    this.#watch();
    return recorded;
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const thread = this.#findThread();
      const call = thread && this.#queue.shift();
      if (!call) return;
      this.#calls.delete(call);
      if (call.onThread) {
        thread.isLeased = true;
        call.onThread(thread);
      } else {
        // Its time begins again: a wait in the queue must not make a healthy thread look overdue.
        call.deadline = performance.now() + this.#options.timeoutMs();
        this.#calls.add(call);
        this.#watch();
        thread.send(call);
      }
    }
  }

  /** @returns undefined when all are busy, or the system has no thread left. Calls wait for another one, where there is one. */
  #findThread(): Thread | undefined {
    try {
      return this.#threads.findFree();
    } catch (cause) {
      const error = new UnavailableError('a thread of the database could not be started', { cause });
      if (this.#threads.isEmpty) this.#rejectQueue(error);
      return undefined;
    }
  }

  #rejectQueue(error: Error): void {
    this.#reject(this.#queue.splice(0), error);
  }

  #reject(calls: Iterable<Call>, error: Error): void {
    for (const call of calls) {
      this.#calls.delete(call);
      call.reject(error);
    }
  }

  /** Sets the timer for the oldest call. */
  #watch(): void {
    const [oldest] = this.#calls;
    if (!oldest || oldest.deadline >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = oldest.deadline;
    this.#timer = setTimeout(() => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#expireCalls();
      this.#dispatch();
      this.#watch();
    }, oldest.deadline - performance.now()).unref();
  }

  #expireCalls(): void {
    const now = performance.now();
    for (const call of this.#calls) {
      if (call.deadline > now) return;
      this.#calls.delete(call);
      if (call.thread) {
        this.#takeBack(call.thread);
        call.reject(new UnavailableError('a statement took too long'));
      } else {
        this.#queue.splice(this.#queue.indexOf(call), 1);
        call.reject(new BusyError('no thread of the database was free in time'));
      }
    }
  }

  /** Statements that were sent ahead to a thread that takes too long go to the one that replaces it. */
  #takeBack(thread: Thread): void {
    if (!this.#threads.markOverdue(thread)) return;
    this.#queue.unshift(...thread.takeBack((call) => this.#calls.has(call)));
  }
}

/** SQLite has waited for the lock of another process in vain (SQLITE_BUSY). */
const isLocked = (error: StatementFailure | undefined): boolean => ((error?.errcode ?? 0) & 0xff) === 5;
