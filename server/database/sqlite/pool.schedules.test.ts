import { EventEmitter } from 'node:events';
import { expect, vi } from 'vitest';
import { onEverySchedule, type Schedule } from '../../testing/schedules.ts';
import { BusyError, UnavailableError } from '../unavailable.ts';
import type { StatementMessage } from './worker.ts';

let schedule: Schedule;
/** The texts of the statements that were executed, of all threads, in order. */
let executed: string[];

/** A thread of Node's: it executes statements in their order, each when the schedule comes to it, and may end by itself. */
class ScheduledWorker extends EventEmitter {
  readonly #inbox: (StatementMessage | 'close')[] = [];
  #isBusy = false;

  postMessage(message: StatementMessage | 'close'): void {
    this.#inbox.push(message);
    if (!this.#isBusy) void this.#serve();
  }

  async #serve(): Promise<void> {
    this.#isBusy = true;
    for (let message = this.#inbox.shift(); message; message = this.#inbox.shift()) {
      await schedule.turn(`a thread executes ${message === 'close' ? message : message.sql}`);
      // A disk that never answers: it stays busy.
      if (schedule.pick(true, ...Array(19).fill(false))) return;
      if (message === 'close' || !this.#execute(message)) return void this.emit('exit');
    }
    this.#isBusy = false;
  }

  /** @returns false if the thread ends. */
  #execute({ id, sql }: StatementMessage): boolean {
    const fate = schedule.pick('done', 'done', 'done', 'done', 'refused', 'locked', 'ends', 'cannot open');
    const answer = (message: object) =>
      schedule.happens(`the answer to ${sql}`, () => this.emit('message', message));
    if (fate === 'done') {
      executed.push(sql);
      answer({ id, result: { changes: 1, lastInsertRowid: Number(/\d+$/.exec(sql)?.[0] ?? 0) } });
    } else if (fate === 'refused') answer({ id, error: { message: `refused ${sql}`, errcode: 19 } });
    else if (fate === 'locked') answer({ id, error: { message: `locked ${sql}`, errcode: 5 } });
    else if (fate === 'cannot open') this.emit('message', { id: undefined, error: { message: fate } });
    return fate !== 'ends' && fate !== 'cannot open';
  }
}
vi.doMock('node:worker_threads', () => ({ Worker: ScheduledWorker }));
const { SqlitePool } = await import('./pool.ts');

const openPool = (isReader: boolean) =>
  new SqlitePool({
    file: '',
    isReader,
    size: isReader ? 2 : 1,
    maxSentAhead: 2,
    maxQueued: 6,
    timeoutMs: () => 1_000,
    onError() {},
  });

/** @returns the statement's outcome. */
async function outcomeOf(statement: string, execute: (sql: string) => Promise<unknown>): Promise<string> {
  try {
    expect(await execute(statement)).toEqual({
      changes: 1,
      lastInsertRowid: Number(/\d+$/.exec(statement)?.[0]),
    });
    return 'done';
  } catch (error) {
    if (error instanceof BusyError || error instanceof UnavailableError) return error.constructor.name;
    // A statement's own error reaches its caller alone; a file that cannot be opened cannot be opened for others either.
    expect([`refused ${statement}`, `locked ${statement}`, 'cannot open']).toContain(
      (error as Error).message,
    );
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
      const pool = openPool(kind === 'reads');
      const called: string[] = [];
      const outcomes = new Map<string, string>();
      const statement = async (id: number) => {
        const sql = `statement ${id}`;
        called.push(sql);
        outcomes.set(sql, await outcomeOf(sql, (text) => pool.execute(text, [])));
      };
      const transaction = async (id: number) => {
        const statements = [1, 2].map((part) => `transaction ${id}${part}`);
        called.push(...statements);
        const lease = await pool.lease().catch(() => undefined);
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
      // A read that was sent ahead to a thread that hangs may be executed twice.
      if (kind === 'reads') return;
      for (const sql of doneOf('BusyError')) expect(executed).not.toContain(sql);
      expect(executed).toEqual(called.filter((sql) => executed.includes(sql)));
    },
  );
}
