/**
 * Imports books from a CSV file (docs/decisions/0038). A row changes its book, or adds one; what is there already is left
 * alone, so an import that was interrupted is simply run again.
 */

import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { imageIdIn } from '../../../contract/image-address.ts';
import { type Actor, recordActivity } from '../../activity/activity.ts';
import { setDurable, writesInTurn } from '../../database/engine-differences.ts';
import type { Db } from '../../database/tables.ts';
import { canWaitingHelp } from '../../database/unavailable.ts';
import { checkRow, type ImportRow, WrongRow } from './check-row.ts';
import { type RowError, readCsv, UnreadableCsv } from './read-csv.ts';
import { openSeenRows } from './seen-rows.ts';
import {
  type FoundBook,
  findBooksOf,
  makeReady,
  type Outcome,
  outcomeOf,
  type ReadyRow,
  writeRows,
} from './write-rows.ts';
import { WrongImage } from './wrong-image.ts';

export type ImportResult = Record<Outcome, number> & {
  /** The first {@link maxErrors}. Their rows were left out. */
  errors: RowError[];
  errorCount: number;
  /** Added or changed books that name an image of the store which it does not have. */
  missingImages: number;
};

export type ImportOptions = {
  actor: Actor;
  /** Count only, and change nothing. */
  isDryRun: boolean;
  /**
   * @param image as the row has it.
   * @returns the image that the book gets. @throws {@link WrongImage}
   */
  readImage(image: string): string | Promise<string>;
  /** Called after each batch: how much of the file is done. */
  onProgress?(done: { bytes: number; rows: number }): void;
  /** Called after each commit that changes the books. */
  onCommitted?(): void;
  /** Ends the import after the batch that is under way. */
  signal?: AbortSignal;
  /** Whether nobody else writes through `db`, as in a command: then only its last commit waits for the disk. */
  isOnlyWriter?: boolean;
};

export const maxErrors = 1_000;
/** How many rows are read, and compared with the catalogue, at a time. */
const batchSize = 500;

/**
 * Imports the rows of a file. Rows with mistakes are left out.
 * @throws what the database throws, and the reason of the signal. What was written before stays.
 */
export async function importBooks(db: Db, source: Readable, options: ImportOptions): Promise<ImportResult> {
  const { actor, isDryRun, onProgress, signal } = options;
  const result: ImportResult = {
    added: 0,
    changed: 0,
    unchanged: 0,
    errors: [],
    errorCount: 0,
    missingImages: 0,
  };
  const addError = (error: RowError) => {
    result.errorCount += 1;
    if (result.errors.length < maxErrors) result.errors.push(error);
  };
  const record = async (more: { isComplete?: boolean }): Promise<void> => {
    const { added, changed, unchanged, errorCount: errors } = result;
    const details = { added, changed, unchanged, errors, ...more };
    if (!isDryRun) await recordActivity(db, 'books-imported', actor, { details });
  };
  const importBatch = openBatches(db, options, { result, addError });
  const batch: ImportRow[] = [];
  let rows = 0;
  let bytes = 0;
  async function* countBytes() {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const flush = async () => {
    signal?.throwIfAborted();
    await importBatch(batch.splice(0));
    onProgress?.({ bytes, rows });
  };
  const seen = openSeenRows();
  // What a power cut loses is imported again. The store's own commits, and the last one here, keep all earlier ones.
  if (options.isOnlyWriter) await setDurable(db, false);
  try {
    for await (const read of readCsv(countBytes())) {
      rows += 1;
      if ('error' in read) {
        addError(read.error);
        continue;
      }
      try {
        const row = checkRow(read);
        const earlier = seen.addRow(row);
        if (earlier !== undefined) throw sameBook(row, earlier);
        batch.push(row);
      } catch (error) {
        if (!(error instanceof WrongRow)) throw error;
        addError(error.error);
      }
      if (batch.length >= batchSize || rows % batchSize === 0) await flush();
    }
    await flush();
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) {
      // What was written stays. If this fails too, the first error says why.
      await record({ isComplete: false }).catch(() => {});
      throw error;
    }
    await flush();
    addError(error.error);
  } finally {
    source.destroy();
  }
  await setDurable(db, true);
  await record({});
  result.errors.sort((one, other) => one.line - other.line);
  return result;
}

const sameBook = ({ line, id }: ImportRow, earlier: number) =>
  new WrongRow({
    line,
    column: id === undefined ? 'title' : 'id',
    reason: `Line ${earlier} has the same book.`,
  });

/**
 * A transaction should take so long at most. On SQLite all other writes wait for it; on PostgreSQL those of the same books, and
 * additions of books with the same words.
 */
const targetMs = { inTurn: 20, otherwise: 100 } as const;
const sliceSize = { first: 20, min: 5, max: 250 } as const;
/** How many rows are prepared before other work of the process gets its turn. */
const rowsPerTurn = 40;
const maxAttempts = 5;

/** @returns a function that imports a batch of rows. */
function openBatches(
  db: Db,
  { actor, isDryRun, readImage, onCommitted, signal }: ImportOptions,
  { result, addError }: { result: ImportResult; addError(error: RowError): void },
): (rows: readonly ImportRow[]) => Promise<void> {
  const seen = openSeenRows();
  let size: number = sliceSize.first;
  let freeUntil = 0;

  const withImages = async (rows: readonly ImportRow[]): Promise<(ImportRow & { isMade: boolean })[]> => {
    const results = await Promise.allSettled(
      rows.map(async (row) => {
        const image = await readImage(row.image);
        // One that was made of a file or an address is there, or would be without a dry run.
        return { ...row, image, isMade: !row.image.endsWith(image) };
      }),
    );
    return results.flatMap((settled, index) => {
      if (settled.status === 'fulfilled') return [settled.value];
      if (!(settled.reason instanceof WrongImage)) throw settled.reason;
      addError({ line: rows[index]?.line ?? 0, column: 'image', reason: settled.reason.message });
      return [];
    });
  };

  /** Writes rows in one transaction, and adapts the number of the next ones to the time that it took. */
  const writeSlice = async (rows: readonly ReadyRow[]): Promise<void> => {
    let startedAt = 0;
    if (writesInTurn(db)) await pause(Math.max(0, freeUntil - performance.now()));
    const outcomes = await db.transaction().execute(async (db) => {
      startedAt = performance.now();
      // First, so that no sweep removes an image that a book is about to use.
      await renewImages(db, rows);
      return await writeRows(db, rows, actor);
    });
    const tookMs = performance.now() - startedAt;
    for (const outcome of outcomes.values()) result[outcome] += 1;
    onCommitted?.();
    const target = writesInTurn(db) ? targetMs.inTurn : targetMs.otherwise;
    const factor = Math.min(2, Math.max(0.5, target / tookMs));
    size = Math.round(Math.min(sliceSize.max, Math.max(sliceSize.min, rows.length * factor)));
    // Another process that waits for SQLite's lock asks for it now and then, and must find it free as often as taken.
    freeUntil = performance.now() + tookMs;
  };

  const writeUntilDone = async (rows: readonly ReadyRow[]): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeSlice(rows);
      } catch (error) {
        // The same rows again: what was committed after all is found unchanged.
        if (attempt === maxAttempts || !canWaitingHelp(error)) throw error;
        await pause(100 * 2 ** attempt);
      }
    }
  };

  return async (rows) => {
    if (rows.length === 0) return;
    const readable = await withImages(rows);
    const found = await findBooksOf(db, readable);
    const storedImages = await findImages(db, readable);
    const wanted: { row: ImportRow; book: FoundBook | undefined }[] = [];
    for (const row of readable) {
      const book = found.get(row);
      const id = book?.id ?? row.id;
      const earlier = id === undefined ? undefined : seen.addBook(id, row.line);
      if (earlier !== undefined) {
        addError(sameBook(row, earlier).error);
        continue;
      }
      const outcome = outcomeOf(row, book);
      const imageId = row.isMade ? undefined : imageIdIn(row.image);
      if (outcome !== 'unchanged' && imageId && !storedImages.has(imageId)) result.missingImages += 1;
      if (outcome === 'unchanged' || isDryRun) result[outcome] += 1;
      else wanted.push({ row, book });
    }
    if (isDryRun) return;
    while (wanted.length > 0) {
      signal?.throwIfAborted();
      const slice: ReadyRow[] = [];
      // Here and not before: the time counts as one in which others find the lock free.
      for (const { row, book } of wanted.splice(0, size)) {
        slice.push(makeReady(row, book));
        if (slice.length % rowsPerTurn === 0) await nextTurn();
      }
      await writeUntilDone(slice);
    }
  };
}

const imageIdsOf = (rows: readonly ImportRow[]): string[] => [
  ...new Set(rows.flatMap(({ image }) => imageIdIn(image) ?? [])),
];

/** @returns the ids of the images that rows name and that the store has. */
async function findImages(db: Db, rows: readonly ImportRow[]): Promise<Set<string>> {
  const ids = imageIdsOf(rows);
  if (ids.length === 0) return new Set();
  const stored = await db.selectFrom('images').select('id').where('id', 'in', ids).execute();
  return new Set(stored.map(({ id }) => id));
}

async function renewImages(db: Db, rows: readonly ImportRow[]): Promise<void> {
  const ids = imageIdsOf(rows);
  if (ids.length === 0) return;
  await db.updateTable('images').set({ created_at: Date.now() }).where('id', 'in', ids).execute();
}
