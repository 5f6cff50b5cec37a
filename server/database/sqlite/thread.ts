/** A thread with its own connection to a SQLite file. */

import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../unavailable.ts';
import type {
  ResultMessage,
  StatementFailure,
  StatementMessage,
  StatementResult,
  WorkerOptions,
} from './worker.ts';

/** A statement, or a request for a lease, from its arrival to its end. */
export type Call = {
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

/** For each thread, in megabytes: a page of books takes less than one. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 3 };

type ThreadEvents = {
  onResult(call: Call, error: StatementFailure | undefined): void;
  /** @param hasOpened false if the file could not be opened: `error` is the reason. */
  onEnd(error: Error, hasOpened: boolean): void;
};

/** Node's own, under `--watch`: which files the thread has loaded. */
type WatchMessage = { 'watch:import': string[] } | { 'watch:require': string[] };

export class Thread {
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

  constructor({ file, isReader, identity }: WorkerOptions, events: ThreadEvents) {
    this.#events = events;
    const workerData: WorkerOptions = { file, isReader, identity };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits });
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
