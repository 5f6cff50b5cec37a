/** The threads of a pool: each is started when it is needed first, and a reader that takes too long is replaced. */

import { type Call, Thread } from './thread.ts';
import type { StatementFailure, WorkerOptions } from './worker.ts';

export type ThreadsOptions = Omit<WorkerOptions, 'identity'> & {
  /** Which file a thread that starts now must find at the path; undefined: whichever is there. */
  identity?(): string | undefined;
  /** How many threads at most. */
  size: number;
  /** How many statements are sent to a thread ahead, so that it need not wait for the next. */
  maxSentAhead: number;
  /** A thread that has had no statement for so long ends: each takes some 10 MB. Unset: it stays. */
  idleMs?: number;
  /** Called with the error of a thread that has ended by itself. */
  onError(error: Error): void;
};

type Events = {
  onResult(call: Call, error: StatementFailure | undefined): void;
  /** @param calls those that have no result. @param hasOpened false if the file could not be opened: `error` is the reason. */
  onEnd(calls: Iterable<Call>, error: Error, hasOpened: boolean): void;
};

/** How many readers may still be busy with a statement that has taken too long, beside those in use. */
const maxOverdue = 2;

export class Threads {
  readonly #options: ThreadsOptions;
  readonly #events: Events;
  readonly #threads = new Set<Thread>();
  /** Readers whose statement has taken too long. They end after it. */
  readonly #overdue = new Set<Thread>();
  /** Threads that had nothing to do. */
  readonly #ending = new Set<Thread>();

  constructor(options: ThreadsOptions, events: Events) {
    this.#options = options;
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.#threads.size === 0;
  }

  has(thread: Thread): boolean {
    return this.#threads.has(thread);
  }

  /** How many threads are busy, and how many statements wait in them. */
  get usage(): { inUse: number; sentAhead: number } {
    const busy = [...this.#threads].filter(({ isLeased, sent }) => isLeased || sent.size > 0);
    const sentAhead = busy.reduce((sum, { sent }) => sum + Math.max(0, sent.size - 1), 0);
    return { inUse: busy.length + this.#overdue.size, sentAhead };
  }

  /**
   * @returns an idle thread, a new one, or one that takes another statement ahead; undefined when all are busy.
   * @throws when the system has no thread left.
   */
  findFree(): Thread | undefined {
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

  /**
   * A running statement cannot be stopped. Another thread replaces a reader; a second writer would only wait for the first.
   * @returns whether the thread is replaced.
   */
  markOverdue(thread: Thread): boolean {
    thread.isOverdue = true;
    if (!this.#options.isReader || !this.#threads.delete(thread)) return false;
    this.#overdue.add(thread);
    return true;
  }

  /** Ends the threads, after the statements that they execute. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads, ...this.#overdue, ...this.#ending].map((thread) => thread.close()));
  }

  #start(): Thread {
    const { file, isReader, identity } = this.#options;
    const thread = new Thread(
      { file, isReader, identity: identity?.() },
      {
        onResult: (call, error) => {
          if (thread.sent.size === 0 && thread.isOverdue) this.#reuseOrEnd(thread);
          idle?.refresh();
          this.#events.onResult(call, error);
        },
        onEnd: (error, hasOpened) => {
          this.#threads.delete(thread);
          this.#overdue.delete(thread);
          this.#ending.delete(thread);
          clearTimeout(idle);
          if (hasOpened && !thread.isClosing) this.#options.onError(error);
          this.#events.onEnd(thread.sent.values(), error, hasOpened);
        },
      },
    );
    this.#threads.add(thread);
    const { idleMs } = this.#options;
    const idle: NodeJS.Timeout | undefined =
      idleMs === undefined ? undefined : setTimeout(() => this.#endIfIdle(thread, idle), idleMs).unref();
    return thread;
  }

  #endIfIdle(thread: Thread, idle: NodeJS.Timeout | undefined): void {
    if (thread.isLeased || thread.sent.size > 0) idle?.refresh();
    else if (this.#threads.delete(thread)) {
      this.#ending.add(thread);
      void thread.close();
    }
  }

  /** After the statement that took too long. The place of a reader was given to another thread. */
  #reuseOrEnd(thread: Thread): void {
    thread.isOverdue = false;
    if (this.#overdue.delete(thread)) void thread.close();
  }
}
