/** Writes the rows of an import in transactions so short that others hardly wait for them, each with the entry of the audit trail. */

import { setTimeout as pause } from 'node:timers/promises';
import { imageIdIn } from '../../contract/image-address.ts';
import { type Actor, findDetails, recordActivity, updateDetails } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import { newId } from '../database/ids.ts';
import { takeTurn } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { canWaitingHelp } from '../database/unavailable.ts';
import type { ImportRow } from './check-row.ts';
import type { Report, Tally } from './report.ts';
import { type FoundBook, makeReady, type ReadyRow, writeRows } from './write-rows.ts';

/**
 * A transaction should take so long at most. On SQLite all other writes wait for it; on PostgreSQL those of the same books, and
 * additions of books with the same words.
 */
const targetMs = { inTurn: 20, otherwise: 100 } as const;
// Each transaction has a cost, however few its rows: with five, 8,000 rows took half as long again on a busy machine.
const sliceSize = { first: 100, min: 100, max: 250 } as const;
/** Each takes longer than a row of an export: its words are computed. */
const preparedPerTurn = 40;
/** The row with which a slice adds and removes more copies is its last one: each copy is a row of the database. */
const copiesPerSlice = 5_000;
const maxAttempts = 5;

/** A row that adds or changes a book, with the book as it was found. */
export type WantedRow = { row: ImportRow; book: FoundBook | undefined };

export class SliceWriter {
  readonly #db: Db;
  readonly #actor: Actor;
  readonly #report: Report;
  /** In the audit trail the import is one entry, from its first change on. */
  readonly #subject = newId();
  #size: number = sliceSize.first;
  /** Until then the lock is left to others. */
  #freeUntil = 0;

  constructor(db: Db, actor: Actor, report: Report) {
    this.#db = db;
    this.#actor = actor;
    this.#report = report;
  }

  /** Writes the first of the rows, as many as a transaction should have, and takes them off. @returns the last one's line. */
  async writeNext(wanted: WantedRow[]): Promise<number> {
    const slice: ReadyRow[] = [];
    // Here and not before: the time counts as one in which others find the lock free.
    for (const { row, book } of wanted.splice(0, rowsOfSlice(wanted, this.#size))) {
      slice.push(makeReady(row, book));
      if (slice.length % preparedPerTurn === 0) await takeTurn();
    }
    const line = slice.at(-1)?.line ?? 0;
    this.#report.commit(await untilDone((attempt) => this.#write(slice, line, attempt)));
    return line;
  }

  /** Writes the entry of the audit trail as the import ends. */
  async end(state: 'finished' | 'stopped', line: number): Promise<void> {
    await this.#record(this.#db, this.#report.tally(line), state);
  }

  /** Writes rows in one transaction, and adapts the number of the next ones to the time that it took. */
  async #write(rows: readonly ReadyRow[], line: number, attempt: number): Promise<Tally> {
    let startedAt = 0;
    const inTurn = engineOf(this.#db).writesInTurn;
    if (inTurn) await pause(Math.max(0, this.#freeUntil - performance.now()));
    const tally = await this.#db.transaction().execute(async (db) => {
      startedAt = performance.now();
      if (attempt > 1) {
        await engineOf(db).lockImports(db);
        // The entry is as #record wrote it.
        const written = (await findDetails(db, 'books-imported', this.#subject)) as Tally | undefined;
        // The commit whose answer was lost.
        if (written?.line === line) return written;
      }
      // First, so that no sweep removes an image that a book is about to use.
      await renewImages(db, rows);
      const outcomes = await writeRows(db, rows, this.#actor);
      const tally = this.#report.tally(line, outcomes.values());
      await this.#record(db, tally, 'running');
      return tally;
    });
    const tookMs = performance.now() - startedAt;
    const target = inTurn ? targetMs.inTurn : targetMs.otherwise;
    const factor = Math.min(2, Math.max(0.5, target / tookMs));
    this.#size = Math.round(Math.min(sliceSize.max, Math.max(sliceSize.min, rows.length * factor)));
    // Another process that waits for SQLite's lock asks for it now and then, and must find it free as often as taken.
    this.#freeUntil = performance.now() + tookMs;
    return tally;
  }

  /**
   * Writes the entry.
   * @param db the transaction of what is counted: a crash then loses both or neither. One whose process was killed stays
   * `running`, and is told as stopped when it was last seen long ago.
   */
  async #record(
    db: Db,
    { line, ...counts }: Tally,
    state: 'running' | 'finished' | 'stopped',
  ): Promise<void> {
    const [action, subject] = ['books-imported', this.#subject] as const;
    const details = { state, ...counts, line, ...(state === 'running' && { seenAt: Date.now() }) };
    if (await updateDetails(db, action, subject, details)) return;
    await recordActivity(db, action, this.#actor, { subject, details });
  }
}

/** @returns how many of the first rows a transaction should have: at most `size`, and fewer where they add or remove many copies. */
function rowsOfSlice(wanted: readonly WantedRow[], size: number): number {
  let copies = 0;
  const last = wanted.findIndex(({ row: { details }, book }) => {
    if (details.copies !== undefined) copies += Math.abs((details.copies ?? 0) - (book?.copies ?? 0));
    return copies > copiesPerSlice;
  });
  return last === -1 ? size : Math.min(size, last + 1);
}

/** Repeats work that may be repeated while the database cannot do it, for some seconds. */
export async function untilDone<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === maxAttempts || !canWaitingHelp(error)) throw error;
      await pause(100 * 2 ** attempt);
    }
  }
}

const imageIdsOf = (rows: readonly ImportRow[]): string[] => [
  ...new Set(rows.flatMap(({ details }) => imageIdIn(details.image) ?? [])),
];

/** @returns the ids of the images that rows name and that the store has. */
export async function findImages(db: Db, wanted: readonly WantedRow[]): Promise<Set<string>> {
  const ids = imageIdsOf(wanted.map(({ row }) => row));
  if (ids.length === 0) return new Set();
  const stored = await db.selectFrom('images').select('id').where('id', 'in', ids).execute();
  return new Set(stored.map(({ id }) => id));
}

async function renewImages(db: Db, rows: readonly ImportRow[]): Promise<void> {
  const ids = imageIdsOf(rows);
  if (ids.length === 0) return;
  await db.updateTable('images').set({ created_at: Date.now() }).where('id', 'in', ids).execute();
}
