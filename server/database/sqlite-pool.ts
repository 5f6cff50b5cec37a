/**
 * The threads that execute SQLite's statements: a wait for the disk or for a lock holds up only statements of the same
 * pool.
 */

import { Worker } from 'node:worker_threads';
import type { PoolUsage } from './pool-usage.ts';
import type {
  ResultMessage,
  StatementFailure,
  StatementMessage,
  StatementResult,
  WorkerOptions,
} from './sqlite-worker.ts';
import { BusyError, UnavailableError } from './unavailable.ts';

/** Which threads a pool has, and its limits. */
export type PoolOptions = WorkerOptions & {
  /** How many threads at most. Each is started when it is needed first. */
  size: number;
  /** How many statements are sent to a thread ahead, so that it need not wait for the next. */
  maxSentAhead: number;
  /** With more statements than this in the queue, further ones are rejected. */
  maxQueued: number;
  /** How long a statement may wait in the queue, and how long it may then take. */
  timeoutMs(): number;
  /** Called with the error of a thread that has ended by itself. */
  onError(error: Error): void;
};

/** Executes statements on one thread, which executes nothing else meanwhile. */
export type Lease = {
  execute(sql: string, parameters?: readonly unknown[]): Promise<StatementResult>;
  release(): void;
};

/** A statement, or a request for a lease, from its arrival to its end. */
type Call = {
  message: Omit<StatementMessage, 'id'>;
  /** In milliseconds of `performance.now()`. */
  deadline: number;
  /** Undefined while it is in the queue. */
  thread?: Thread;
  /** For a lease: called with the thread instead of sending the statement. */
  onThread?: (thread: Thread) => void;
  resolve(result: StatementResult): void;
  reject(error: unknown): void;
};

/** How many readers may still be busy with a statement that has taken too long, beside those in use. */
const maxOverdue = 2;

/** For each thread, in megabytes: a page of books takes less than one. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 3 };

/** Threads with a connection each to one file, and the queue of the statements that wait for them. */
export class SqlitePool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  /** In the order of their arrival, which is that of their deadlines. */
  readonly #calls = new Set<Call>();
  readonly #queue: Call[] = [];
  /** Readers whose statement has taken too long. They end after it. */
  readonly #overdue = new Set<Thread>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
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
    const busy = [...this.#threads].filter(({ isLeased, sent }) => isLeased || sent.size > 0);
    const sentAhead = busy.reduce((sum, { sent }) => sum + Math.max(0, sent.size - 1), 0);
    return {
      size: this.#options.size,
      inUse: busy.length + this.#overdue.size,
      waiting: this.#queue.length + sentAhead,
    };
  }

  /** Ends the threads, after the statements that they execute. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#threads, ...this.#overdue].map((thread) => thread.close()));
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
      const thread = this.#findFreeThread();
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

  #rejectQueue(error: Error): void {
    for (const call of this.#queue.splice(0)) {
      this.#calls.delete(call);
      call.reject(error);
    }
  }

  /** @returns an idle thread, a new one, or one that takes another statement ahead; undefined when all are busy. */
  #findFreeThread(): Thread | undefined {
    const { size, maxSentAhead } = this.#options;
    let busy: Thread | undefined;
    for (const thread of this.#threads) {
      if (thread.isLeased || thread.isOverdue) continue;
      if (thread.sent.size === 0) return thread;
      if (thread.sent.size <= maxSentAhead) busy ??= thread;
    }
    const canStart = this.#threads.size < size && this.#overdue.size < maxOverdue;
    return canStart ? this.#start() : busy;
  }

  /** @returns undefined when the system has no thread left. Calls wait for another one, where there is one. */
  #start(): Thread | undefined {
    try {
      return this.#startThread();
    } catch (cause) {
      const error = new UnavailableError('a thread of the database could not be started', { cause });
      if (this.#threads.size === 0) this.#rejectQueue(error);
      return undefined;
    }
  }

  #startThread(): Thread {
    const thread = new Thread(this.#options, {
      onResult: (call, error) => {
        this.#calls.delete(call);
        // Those that wait would each wait for the lock again, one after the other.
        if (isLocked(error)) this.#rejectQueue(new BusyError('another process holds the write lock'));
        if (thread.sent.size === 0 && thread.isOverdue) this.#reuseOrEnd(thread);
        this.#dispatch();
      },
      onEnd: (error, hasOpened) => this.#handleEnd(thread, error, hasOpened),
    });
    this.#threads.add(thread);
    return thread;
  }

  /** After the statement that took too long. The place of a reader was given to another thread. */
  #reuseOrEnd(thread: Thread): void {
    thread.isOverdue = false;
    if (this.#overdue.delete(thread)) void thread.close();
  }

  #handleEnd(thread: Thread, error: Error, hasOpened: boolean): void {
    this.#threads.delete(thread);
    this.#overdue.delete(thread);
    // A file that cannot be opened now cannot be opened for those that wait either.
    for (const call of thread.sent.values()) {
      this.#calls.delete(call);
      call.reject(error);
    }
    if (!hasOpened) this.#rejectQueue(error);
    if (this.#isClosed) return;
    if (hasOpened && !thread.isClosing) this.#options.onError(error);
    this.#dispatch();
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
        this.#markOverdue(call.thread);
        call.reject(new UnavailableError('a statement took too long'));
      } else {
        this.#queue.splice(this.#queue.indexOf(call), 1);
        call.reject(new BusyError('no thread of the database was free in time'));
      }
    }
  }

  /**
   * A running statement cannot be stopped. Another thread replaces a reader; a second writer would only wait for the
   * first.
   */
  #markOverdue(thread: Thread): void {
    thread.isOverdue = true;
    if (!this.#options.isReader || !this.#threads.delete(thread)) return;
    this.#overdue.add(thread);
    this.#queue.unshift(...thread.takeBack((call) => this.#calls.has(call)));
  }
}

/** Whether SQLite has waited for the lock of another process in vain (SQLITE_BUSY). */
const isLocked = (error: StatementFailure | undefined): boolean => ((error?.errcode ?? 0) & 0xff) === 5;

type ThreadEvents = {
  onResult(call: Call, error: StatementFailure | undefined): void;
  /** @param hasOpened false if the file could not be opened: `error` is the reason. */
  onEnd(error: Error, hasOpened: boolean): void;
};

/** Node's own, under `--watch`: which files the thread has loaded. */
type WatchMessage = { 'watch:import': string[] } | { 'watch:require': string[] };

class Thread {
  /** The calls that were sent and have no result yet. */
  readonly sent = new Map<number, Call>();
  isLeased = false;
  /** A statement has taken too long, and is still running. */
  isOverdue = false;
  isClosing = false;
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #hasEnded: Promise<void>;
  #lastId = 0;

  constructor({ file, isReader }: WorkerOptions, events: ThreadEvents) {
    this.#events = events;
    const workerData: WorkerOptions = { file, isReader };
    this.#worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData, resourceLimits });
    let openError: Error | undefined;
    let crash: Error | undefined;
    this.#worker.on('message', (message: ResultMessage | WatchMessage) => {
      if ('result' in message) this.#settle(message.id, (call) => call.resolve(message.result));
      else if (!('error' in message)) return;
      else if (message.id === undefined) openError = errorOf(message.error);
      else this.#settle(message.id, (call) => call.reject(errorOf(message.error)), message.error);
    });
    this.#worker.on('error', (error: Error) => {
      crash = error;
    });
    this.#hasEnded = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        events.onEnd(
          openError ?? new UnavailableError('the database’s thread ended', { cause: crash }),
          openError === undefined,
        );
        resolve();
      });
    });
  }

  send(call: Call): void {
    this.#lastId += 1;
    const id = this.#lastId;
    call.thread = this;
    this.sent.set(id, call);
    try {
      this.#worker.postMessage({ id, ...call.message } satisfies StatementMessage);
    } catch (error) {
      // A value that cannot cross to another thread, such as a function, is none that SQLite can bind either.
      this.#settle(id, ({ reject }) => reject(error));
    }
  }

  /** Takes back calls that wait behind the one that is executed. Their results will be ignored. */
  takeBack(isWanted: (call: Call) => boolean): Call[] {
    const calls = [...this.sent].filter(([, call]) => isWanted(call));
    for (const [id, call] of calls) {
      this.sent.delete(id);
      delete call.thread;
    }
    return calls.map(([, call]) => call);
  }

  #settle(id: number, settle: (call: Call) => void, error?: StatementFailure): void {
    const call = this.sent.get(id);
    if (!call) return;
    this.sent.delete(id);
    settle(call);
    this.#events.onResult(call, error);
  }

  /** Ends after the statements that were sent. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.#worker.postMessage('close');
    await this.#hasEnded;
  }
}

const errorOf = ({ message, ...codes }: StatementFailure): Error => Object.assign(new Error(message), codes);
