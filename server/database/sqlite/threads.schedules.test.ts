import { EventEmitter } from 'node:events';
import { expect, vi } from 'vitest';
import { onEverySchedule, type Schedule } from '../../testing/schedules.ts';
import { BusyError, UnavailableError } from '../unavailable.ts';
import type { Statement, WorkerMessage } from './worker.ts';

let schedule: Schedule;
/** The texts of executed statements, of all threads, in order. */
let executed: string[];

/** A stand-in for a thread of Node: it executes statements in order, each when the schedule chooses it, and it may end by itself. */
class ScheduledWorker extends EventEmitter {
  readonly #inbox: (Statement | 'close')[] = [];
  readonly #answers: WorkerMessage[] = [];
  #isBusy = false;

  postMessage(message: Statement | 'close'): void {
    this.#inbox.push(message);
    if (!this.#isBusy) void this.#serve();
  }

  async #serve(): Promise<void> {
    this.#isBusy = true;
    for (let message = this.#inbox.shift(); message; message = this.#inbox.shift()) {
      await schedule.turn(`a thread executes ${message === 'close' ? message : message.sql}`);
      // A disk that never answers keeps the thread busy.
      if (schedule.pick(true, ...Array(19).fill(false))) return;
      if (message === 'close' || !this.#execute(message)) return void this.emit('exit');
    }
    this.#isBusy = false;
  }

  /** @returns false if the thread ends. */
  #execute({ sql }: Statement): boolean {
    const fate = schedule.pick('done', 'done', 'done', 'done', 'refused', 'ends');
    if (fate === 'done') {
      executed.push(sql);
      this.#answer({ result: { rows: [sql] } });
    } else if (fate === 'refused') this.#answer({ failure: { message: `refused ${sql}`, errcode: 19 } });
    return fate !== 'ends';
  }

  /** The answers of a thread come in their order. */
  #answer(message: WorkerMessage): void {
    this.#answers.push(message);
    schedule.happens('an answer', () => this.emit('message', this.#answers.shift()));
  }
}
vi.doMock('node:worker_threads', () => ({ Worker: ScheduledWorker }));
const { SqliteThreads } = await import('./threads.ts');

async function outcomeOf(statement: string, execute: (sql: string) => Promise<unknown>): Promise<string> {
  try {
    expect(await execute(statement)).toEqual({ rows: [statement] });
    return 'done';
  } catch (error) {
    if (error instanceof BusyError || error instanceof UnavailableError) return error.constructor.name;
    // An error of a statement reaches only its caller.
    expect((error as Error).message).toBe(`refused ${statement}`);
    return 'failed';
  }
}

for (const kind of ['writes', 'reads']) {
  onEverySchedule(
    kind === 'reads'
      ? 'however threads end or hang, each read is answered, with its own result'
      : 'however threads end or hang, each write is answered, none that was refused is executed, and they stay in order',
    async (current) => {
      schedule = current;
      executed = [];
      const { happens, play } = current;
      const isReader = kind === 'reads';
      const size = isReader ? 2 : 1;
      const timeoutMs = 1_000;
      const threads = new SqliteThreads({ file: '', isReader, size, maxQueued: 6, timeoutMs, onError() {} });
      const called: string[] = [];
      const outcomes = new Map<string, string>();
      const statement = async (id: number) => {
        const sql = `statement ${id}`;
        called.push(sql);
        outcomes.set(sql, await outcomeOf(sql, (text) => threads.execute(text, [])));
      };
      const transaction = async (id: number) => {
        const statements = [1, 2].map((part) => `transaction ${id}${part}`);
        called.push(...statements);
        const lease = await threads.lease().catch(() => undefined);
        if (!lease) for (const sql of statements) outcomes.set(sql, 'BusyError');
        else for (const sql of statements) outcomes.set(sql, await outcomeOf(sql, lease.execute));
        lease?.release();
      };
      for (let id = 0; id < 8; id += 1) happens(`call ${id}`, () => statement(id));
      for (const id of [1, 2]) happens(`transaction ${id}`, () => transaction(id));

      await play();

      expect([...outcomes.keys()].sort()).toEqual([...called].sort());
      const doneOf = (outcome: string) => called.filter((sql) => outcomes.get(sql) === outcome);
      expect(executed).toEqual(expect.arrayContaining(doneOf('done')));
      for (const sql of doneOf('BusyError')) expect(executed).not.toContain(sql);
      if (isReader) return;
      expect(executed).toEqual(called.filter((sql) => executed.includes(sql)));
    },
  );
}
