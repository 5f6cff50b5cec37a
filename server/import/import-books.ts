/**
 * Imports books from a CSV file (docs/decisions/0038): reads 200 rows, compares them with the catalogue, and writes what differs in one
 * transaction; then the next ones. What is there already is left alone, so an import that was interrupted is simply run again.
 */

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type Actor, recordActivity, updateDetails } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import { newId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { canWaitingHelp } from '../database/unavailable.ts';
import { checkRow, type ImportRow } from './check-row.ts';
import { planRows, sameBook } from './plan-rows.ts';
import { type RowError, readCsv, UnreadableCsv } from './read-csv.ts';
import { type ImportResult, Report } from './report.ts';
import { makeImages, type RowImages } from './row-images.ts';
import { SeenRows } from './seen-rows.ts';
import { writeBooks } from './write-books.ts';

export type ImportDone = {
  bytes: number;
  rows: number;
  /** All rows up to this line are done, whatever becomes of the import. */
  line: number;
};

export type ImportOptions = {
  actor: Actor;
  isDryRun: boolean;
  images: RowImages;
  onProgress?(done: ImportDone): void;
  onCommitted?(): void;
  /** Ends the import after the batch that is under way. */
  signal?: AbortSignal;
};

const batchSize = 200;
/** Each copy is a row of the database: the row with which a batch has more of them is its last one. */
const copiesPerBatch = 5_000;
/** A file with so many mistakes is no list of books. */
const maxMistakes = 100_000;
const maxAttempts = 5;

export async function importBooks(
  db: Db,
  source: AsyncIterable<Buffer>,
  { actor, isDryRun, images, onProgress, onCommitted, signal }: ImportOptions,
): Promise<ImportResult> {
  const seen = new SeenRows();
  // In the audit trail the import is one entry, from its first change on.
  const subject = newId();
  let report = new Report();
  let done: ImportDone = { bytes: 0, rows: 0, line: 0 };

  /** @param db the transaction of what is counted: a crash then loses both or neither. */
  const record = async (
    db: Db,
    state: 'running' | 'finished' | 'stopped',
    { result }: Report,
    line: number,
  ) => {
    const { added, changed, restored, unchanged, errorCount: errors } = result;
    const counts = { added, changed, restored, unchanged, errors, line };
    // One whose process was killed stays `running`, and is told as stopped when it was last seen long ago.
    const details = { state, ...counts, ...(state === 'running' && { seenAt: Date.now() }) };
    if (await updateDetails(db, 'books-imported', subject, details)) return;
    await recordActivity(db, 'books-imported', actor, { subject, details });
  };

  const importRows = async (rows: readonly ImportRow[], line: number): Promise<void> => {
    const work = async (db: Db) => {
      const counted = new Report(report.result);
      const books = await planRows(db, rows, { isDryRun, images, seen, report: counted });
      if (books.length > 0) {
        await writeBooks(db, books, actor);
        await record(db, 'running', counted, line);
      }
      return { counted, hasChanged: books.length > 0 };
    };
    const startedAt = performance.now();
    const { counted, hasChanged } = await untilDone(() =>
      isDryRun ? work(db) : db.transaction().execute(work),
    );
    report = counted;
    if (hasChanged) onCommitted?.();
    // Another process that waits for SQLite's lock asks for it now and then, and must find it free as often as taken.
    if (engineOf(db).writesInTurn && !isDryRun) await pause(performance.now() - startedAt);
  };

  const end = async (state: 'finished' | 'stopped'): Promise<void> => {
    if (!isDryRun) await record(db, state, report, done.line);
  };
  try {
    for await (const { rows, errors, read } of readBatches(source, seen)) {
      signal?.throwIfAborted();
      for (const error of errors) report.addError(error);
      if (rows.length > 0) await importRows(await makeImages(rows, images, report), read.line);
      done = read;
      onProgress?.(done);
      await nextTurn();
    }
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) {
      // The rows that were written stay. If this fails too, the first error says why.
      await end('stopped').catch(() => {});
      throw error;
    }
    report.addLastError(error.error);
  }
  await end('finished');
  return { ...report.result, errors: report.result.errors.toSorted((one, other) => one.line - other.line) };
}

async function* readBatches(source: AsyncIterable<Buffer>, seen: SeenRows) {
  const read: ImportDone = { bytes: 0, rows: 0, line: 0 };
  let rows: ImportRow[] = [];
  let errors: RowError[] = [];
  let [mistakes, copies] = [0, 0];
  const take = () => {
    const batch = { rows, errors, read: { ...read } };
    mistakes += errors.length;
    [rows, errors, copies] = [[], [], 0];
    return batch;
  };
  async function* counted() {
    for await (const chunk of source) {
      read.bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const row of readCsv(counted())) {
      read.rows += 1;
      read.line = row.line;
      const checked = 'error' in row ? row : checkRow(row);
      const earlier = 'error' in checked ? undefined : seen.addRow(checked);
      if ('error' in checked) errors.push(checked.error);
      else if (earlier !== undefined) errors.push(sameBook(checked, earlier));
      else {
        rows.push({ ...checked, isIsbnShared: seen.addIsbn(checked) });
        copies += checked.details.copies ?? 0;
      }
      if (read.rows % batchSize === 0 || copies > copiesPerBatch) yield take();
      if (mistakes + errors.length < maxMistakes) continue;
      const count = maxMistakes.toLocaleString('en');
      throw new UnreadableCsv(`The file has ${count} mistakes, and is not read any further.`, read.line);
    }
  } catch (error) {
    if (error instanceof UnreadableCsv) yield take();
    throw error;
  }
  yield take();
}

async function untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !canWaitingHelp(error)) throw error;
      await pause(100 * 2 ** attempt);
    }
  }
}
