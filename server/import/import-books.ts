/**
 * Imports books from a CSV file (docs/decisions/0038): reads 200 rows, compares them with the catalogue, and writes the differences in one
 * transaction; then the next rows. Data that is already right stays, so an interrupted import can simply be run again.
 */

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ImportEvent } from '../../contract/desk/books.ts';
import type { Money } from '../../contract/price.ts';
import { type Actor, recordActivity, updateDetails } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import { newId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { checkRow } from './check-row.ts';
import { planRows, renewImages } from './plan-rows.ts';
import { type CsvRow, type RowError, readCsv, UnreadableCsv } from './read-csv.ts';
import { type ImportResult, noRows, withLastError, withRows } from './report.ts';
import { makeImages, type RowImages } from './row-images.ts';
import { SeenRows } from './seen-rows.ts';
import { writeBooks } from './write-books.ts';

export type ImportProgress = Omit<Extract<ImportEvent, { type: 'progress' }>, 'type'>;

export const noProgress: ImportProgress = {
  ...{ bytes: 0, totalBytes: 0, rows: 0, line: 0 },
  ...{ rowsPerSecond: 0, secondsLeft: null },
};

export type ImportOptions = {
  actor: Actor;
  isDryRun: boolean;
  images: RowImages;
  money?: Money;
  /** The size of the file; 0 if unknown. */
  totalBytes?: number;
  onProgress?(progress: ImportProgress): void;
  onCommitted?(): void;
  /** Aborting this signal ends the import after the current batch. */
  signal?: AbortSignal;
};

const batchSize = 200;
/** The most mistakes: a file with more is no list of books. */
const maxMistakes = 10_000;

export async function importBooks(
  db: Db,
  source: AsyncIterable<Buffer>,
  { actor, isDryRun, images, money, totalBytes = 0, onProgress, onCommitted, signal }: ImportOptions,
): Promise<ImportResult> {
  const seen = new SeenRows();
  // In the audit trail, an import has one entry, which starts with its first change; without a change it has none.
  const subject = newId();
  const startedAt = performance.now();
  let bytes = 0;
  let progress = noProgress;
  let result = noRows;

  async function* counted() {
    for await (const chunk of source) {
      // Empty lines fill no batch, so the import pauses here: it would hold up every visitor, and go on without its client.
      await nextTurn();
      signal?.throwIfAborted();
      bytes += chunk.length;
      yield chunk;
    }
  }

  /** @param db the transaction of the counted changes: a crash loses both or neither. */
  const record = async (
    db: Db,
    state: 'running' | 'finished' | 'stopped',
    { added, changed, restored, unchanged, errorCount: errors }: ImportResult,
    line: number,
  ) => {
    if (isDryRun) return;
    const counts = { added, changed, restored, unchanged, errors, line };
    // An import whose process was killed stays `running`; it is shown as stopped once `seenAt` is long ago.
    const details = { state, ...counts, ...(state === 'running' && { seenAt: Date.now() }) };
    const isThere = await updateDetails(db, 'books-imported', subject, details);
    if (!isThere && state === 'running')
      await recordActivity(db, 'books-imported', actor, { subject, details });
  };

  const importBatch = async (batch: readonly (CsvRow | RowError)[], line: number): Promise<void> => {
    const checked = batch.map((row) => ('reason' in row ? row : checkRow(row, money)));
    const rows = await makeImages(
      checked.map((row) => ('reason' in row ? row : seen.addRow(row))),
      images,
    );
    const work = async (db: Db) => {
      const planned = await planRows(db, rows, { isDryRun, images, seen });
      const books = planned
        .filter((row) => 'outcome' in row)
        .filter(({ outcome }) => outcome !== 'unchanged');
      const missingImages = await renewImages(db, books, isDryRun);
      const next = withRows(result, planned, { isDryRun, missingImages });
      if (isDryRun || books.length === 0) return { next, hasChanged: false };
      await writeBooks(db, books, actor);
      await record(db, 'running', next, line);
      return { next, hasChanged: true };
    };
    const workedSince = performance.now();
    const { next, hasChanged } = isDryRun ? await work(db) : await db.transaction().execute(work);
    result = next;
    if (hasChanged) onCommitted?.();
    // Another process polls for SQLite's lock, so the lock must be free as often as taken.
    if (engineOf(db).name === 'sqlite' && !isDryRun) await pause(performance.now() - workedSince);
  };

  try {
    for await (const batch of batchesOf(readCsv(counted()))) {
      signal?.throwIfAborted();
      const { line } = batch.at(-1) ?? progress;
      await importBatch(batch, line);
      const rows = progress.rows + batch.length;
      const seconds = (performance.now() - startedAt) / 1000;
      const secondsLeft = totalBytes ? Math.ceil((seconds / bytes) * (totalBytes - bytes)) : null;
      progress = { bytes, totalBytes, rows, line, rowsPerSecond: Math.round(rows / seconds), secondsLeft };
      onProgress?.(progress);
      await nextTurn();
      if (result.errorCount < maxMistakes) continue;
      const count = maxMistakes.toLocaleString('en');
      throw new UnreadableCsv(`The file has ${count} mistakes, and is not read any further.`, line);
    }
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) {
      // Rows that were written stay. If this write fails too, the first error is thrown.
      await record(db, 'stopped', result, progress.line).catch(() => {});
      throw error;
    }
    result = withLastError(result, error.error);
  }
  await record(db, 'finished', result, progress.line);
  return result;
}

/** Yields batches of rows. If the source fails, the rows that were already read come before the error. */
async function* batchesOf<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
