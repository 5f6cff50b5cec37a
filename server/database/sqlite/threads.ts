import { Worker } from 'node:worker_threads';
import type { PoolUsage } from '../engine.ts';
import { BusyError, UnavailableError } from '../unavailable.ts';
import type { Failure, Result, Statement, WorkerMessage, WorkerOptions } from './worker.ts';

type ThreadsOptions = WorkerOptions & {
  size: number;
  maxQueued: number;
  /** How long a caller may wait for a thread, and how long a statement may then take. */
  timeoutMs: number;
  onError(error: Error): void;
};

export type Lease = {
  /** @throws {UnavailableError} when the thread ended, or took too long: then a write may have been executed. Otherwise SQLite's error. */
  execute(sql: string, parameters?: readonly unknown[]): Promise<Result>;
  release(): void;
};

type Call = { resolve(result: Result): void; reject(error: Error): void; timer: NodeJS.Timeout };
/** `calls`: the calls without a result yet. The results come in the order of the calls. */
type Thread = { worker: Worker; calls: Call[]; isLent: boolean; isOverdue: boolean; end?: Error };

/** The heap of each thread, in megabytes: a page of books takes less than one. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 3 };
const maxOverdue = 2;

export class SqliteThreads {
  readonly #options: ThreadsOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: { resolve(thread: Thread): void; reject(error: Error): void }[] = [];
  #isClosed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  async execute(sql: string, parameters: readonly unknown[] = []): Promise<Result> {
    const lease = await this.lease();
    return await lease.execute(sql, parameters).finally(lease.release);
  }

  async lease(): Promise<Lease> {
    const { maxQueued, timeoutMs } = this.#options;
    if (this.#isClosed) throw new UnavailableError('the database is closed');
    if (this.#queue.length >= maxQueued) throw new BusyError('too many statements wait for the database');
    const { promise, ...waiter } = Promise.withResolvers<Thread>();
    this.#queue.push(waiter);
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(waiter), 1);
      waiter.reject(new BusyError('no thread of the database was free in time'));
    }, timeoutMs);
    this.#lend();
    const thread = await promise.finally(() => clearTimeout(timer));
    return {
      execute: (sql, parameters = []) => this.#execute(thread, { sql, parameters }),
      release: () => {
        thread.isLent = false;
        this.#lend();
      },
    };
  }

  get usage(): PoolUsage {
    const inUse = [...this.#threads].filter((thread) => !isFree(thread)).length;
    return { size: this.#options.size, inUse, waiting: this.#queue.length };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectQueue(new UnavailableError('the database is closed'));
    await Promise.all([...this.#threads].map(close));
  }

  #lend(): void {
    while (this.#queue.length > 0) {
      const thread = [...this.#threads].find(isFree) ?? this.#start();
      if (!thread) return;
      thread.isLent = true;
      this.#queue.shift()?.resolve(thread);
    }
  }

  #start(): Thread | undefined {
    const { file, isReader, identity, size } = this.#options;
    const overdue = [...this.#threads].filter(({ isOverdue }) => isOverdue).length;
    if (this.#threads.size - overdue >= size || overdue >= maxOverdue) return undefined;
    const workerData: WorkerOptions = { file, isReader, identity };
    try {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits });
      const thread: Thread = { worker, calls: [], isLent: false, isOverdue: false };
      let cause: Error | undefined;
      worker.on('message', (message: WorkerMessage) => {
        // Under `--watch`, Node sends messages of its own, which are neither a result nor an error.
        if ('result' in message || 'failure' in message) this.#settle(thread, message);
      });
      worker.on('error', (error: Error) => {
        cause = error;
      });
      worker.once('exit', (code) => {
        const end = new UnavailableError('the database’s thread ended', { cause });
        if (code !== 0) this.#options.onError(end);
        this.#end(thread, end);
      });
      this.#threads.add(thread);
      return thread;
    } catch (cause) {
      this.#rejectQueue(new UnavailableError('a thread of the database could not be started', { cause }));
      return undefined;
    }
  }

  #execute(thread: Thread, statement: Statement): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (thread.end) throw thread.end;
      // Throws for what cannot cross to another thread, such as a function: SQLite could not bind it either.
      thread.worker.postMessage(statement);
      const timer = setTimeout(() => {
        reject(new UnavailableError('a statement took too long'));
        // The call cannot be stopped. Another thread replaces a reader; a second writer would only wait for the first.
        if (!this.#options.isReader || thread.isOverdue) return;
        thread.isOverdue = true;
        void close(thread);
        this.#lend();
      }, this.#options.timeoutMs);
      thread.calls.push({ resolve, reject, timer });
    });
  }

  #settle(thread: Thread, message: WorkerMessage): void {
    const call = thread.calls.shift();
    clearTimeout(call?.timer);
    if ('result' in message) call?.resolve(message.result);
    else call?.reject(errorOf(message.failure));
    this.#lend();
  }

  #end(thread: Thread, end: Error): void {
    this.#threads.delete(thread);
    thread.end = end;
    for (const { reject, timer } of thread.calls.splice(0)) {
      clearTimeout(timer);
      reject(end);
    }
    this.#lend();
  }

  #rejectQueue(error: Error): void {
    for (const waiter of this.#queue.splice(0)) waiter.reject(error);
  }
}

const isFree = ({ isLent, isOverdue, calls }: Thread): boolean => !isLent && !isOverdue && calls.length === 0;

const close = ({ worker }: Thread): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage('close');
  });

const errorOf = ({ message, ...codes }: Failure): Error => Object.assign(new Error(message), codes);
