/** Threads that execute SQLite's statements, and the one queue of those who wait for them. */

import { Worker } from 'node:worker_threads';
import type { PoolUsage } from '../engine.ts';
import { BusyError, UnavailableError } from '../unavailable.ts';
import type { Failure, StatementMessage, StatementResult, WorkerMessage, WorkerOptions } from './worker.ts';

export type ThreadsOptions = Omit<WorkerOptions, 'identity'> & {
  /** The only file that a thread which starts now may open; undefined: any. */
  identity?(): string | undefined;
  /** How many threads at most: each is started when it is needed first. */
  size: number;
  maxQueued: number;
  /** How long a caller may wait for a thread, and how long a statement may then take; undefined: without limit. */
  timeoutMs(): number | undefined;
  /** Called when a thread has crashed. */
  onError(error: Error): void;
};

export type Lease = {
  /** @throws {UnavailableError} when the thread ended, or took too long: a write may have been executed; or SQLite's error. */
  execute(sql: string, parameters?: readonly unknown[], isInTransaction?: boolean): Promise<StatementResult>;
  release(): void;
};

type Timer = NodeJS.Timeout | undefined;
type Call = { resolve(result: StatementResult): void; reject(error: Error): void; timer: Timer };
/** `calls`: those without a result yet. The results come in their order. */
type Thread = { worker: Worker; calls: Call[]; isLent: boolean; error?: Error };

/** For each thread, in megabytes: a page of books takes less than one. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 3 };
const maxOverdue = 2;

export class SqliteThreads {
  readonly #options: ThreadsOptions;
  readonly #threads = new Set<Thread>();
  /** Readers whose statement has taken too long. They end after it. */
  readonly #overdue = new Set<Thread>();
  readonly #queue: { resolve(thread: Thread): void; reject(error: Error): void }[] = [];
  #isClosed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  async execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const lease = await this.lease();
    return await lease.execute(sql, parameters, false).finally(() => lease.release());
  }

  /** @throws {BusyError} at once for a full queue, or when no thread was free in time. */
  async lease(): Promise<Lease> {
    const { maxQueued, timeoutMs } = this.#options;
    if (this.#isClosed) throw new UnavailableError('the database is closed');
    if (this.#queue.length >= maxQueued) throw new BusyError('too many statements wait for the database');
    const { promise, ...waiter } = Promise.withResolvers<Thread>();
    this.#queue.push(waiter);
    const timer = startTimer(timeoutMs(), () => {
      this.#queue.splice(this.#queue.indexOf(waiter), 1);
      waiter.reject(new BusyError('no thread of the database was free in time'));
    });
    this.#lend();
    const thread = await promise.finally(() => clearTimeout(timer));
    return {
      execute: (sql, parameters = [], isInTransaction = true) =>
        this.#execute(thread, { sql, parameters, isInTransaction }),
      release: () => {
        thread.isLent = false;
        this.#lend();
      },
    };
  }

  get usage(): PoolUsage {
    const busy = [...this.#threads].filter((thread) => !isFree(thread)).length + this.#overdue.size;
    return { size: this.#options.size, inUse: busy, waiting: this.#queue.length };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectQueue(new UnavailableError('the database is closed'));
    await Promise.all([...this.#threads, ...this.#overdue].map(close));
  }

  #lend(): void {
    while (this.#queue.length > 0) {
      const thread = [...this.#threads].find(isFree) ?? this.#start();
      if (!thread) return;
      thread.isLent = true;
      this.#queue.shift()?.resolve(thread);
    }
  }

  /** @returns undefined when there are enough threads, or the system has none left. */
  #start(): Thread | undefined {
    const { file, isReader, identity, size } = this.#options;
    if (this.#threads.size >= size || this.#overdue.size >= maxOverdue) return undefined;
    const workerData: WorkerOptions = { file, isReader, identity: identity?.() };
    try {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits });
      const thread: Thread = { worker, calls: [], isLent: false };
      let cause: Error | undefined;
      worker.on('message', (message: WorkerMessage) => {
        if ('openFailure' in message) thread.error = errorOf(message.openFailure);
        // Node's own messages, under `--watch`, are neither.
        else if ('result' in message || 'failure' in message) this.#settle(thread, message);
      });
      worker.on('error', (error: Error) => {
        cause = error;
      });
      worker.once('exit', (code) => {
        const crash = new UnavailableError('the database’s thread ended', { cause });
        if (code !== 0) this.#options.onError(crash);
        this.#end(thread, crash);
      });
      this.#threads.add(thread);
      return thread;
    } catch (cause) {
      const error = new UnavailableError('a thread of the database could not be started', { cause });
      if (this.#threads.size === 0) this.#rejectQueue(error);
      return undefined;
    }
  }

  #execute(thread: Thread, message: StatementMessage): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      if (thread.error) throw thread.error;
      // Throws for what cannot cross to another thread, such as a function: SQLite could not bind it either.
      thread.worker.postMessage(message);
      const timer = startTimer(this.#options.timeoutMs(), () => {
        reject(new UnavailableError('a statement took too long'));
        this.#replaceReader(thread);
      });
      thread.calls.push({ resolve, reject, timer });
    });
  }

  #settle(thread: Thread, message: { result: StatementResult } | { failure: Failure }): void {
    const call = thread.calls.shift();
    clearTimeout(call?.timer);
    if ('result' in message) call?.resolve(message.result);
    else {
      call?.reject(errorOf(message.failure));
      // Those that wait would each wait for the lock again, one after the other.
      if (isLocked(message.failure)) this.#rejectQueue(new BusyError('another process holds the write lock'));
    }
    this.#lend();
  }

  /** A running statement cannot be stopped. Another thread replaces a reader; a second writer would only wait for the first. */
  #replaceReader(thread: Thread): void {
    if (!this.#options.isReader || !this.#threads.delete(thread)) return;
    this.#overdue.add(thread);
    void close(thread);
    this.#lend();
  }

  #end(thread: Thread, ending: Error): void {
    this.#threads.delete(thread);
    this.#overdue.delete(thread);
    // A file that cannot be opened now cannot be opened for those that wait either.
    if (thread.error) this.#rejectQueue(thread.error);
    thread.error ??= ending;
    for (const { reject, timer } of thread.calls.splice(0)) {
      clearTimeout(timer);
      reject(thread.error);
    }
    this.#lend();
  }

  #rejectQueue(error: Error): void {
    for (const waiter of this.#queue.splice(0)) waiter.reject(error);
  }
}

const isFree = ({ isLent, calls }: Thread): boolean => !isLent && calls.length === 0;

/** SQLite has waited in vain for the lock of another process (SQLITE_BUSY). */
const isLocked = ({ errcode = 0 }: Failure): boolean => (errcode & 0xff) === 5;

/** It ends after the statements that it was sent. */
const close = ({ worker }: Thread): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage('close');
  });

const startTimer = (ms: number | undefined, onTimeout: () => void): Timer =>
  ms === undefined ? undefined : setTimeout(onTimeout, ms);

const errorOf = ({ message, ...codes }: Failure): Error => Object.assign(new Error(message), codes);
