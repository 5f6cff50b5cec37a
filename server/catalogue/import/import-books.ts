/**
 * Imports books from a CSV file (docs/decisions/0038). A row changes its book, or adds one; what is there already is left
 * alone, so an import that was interrupted is simply run again.
 */

import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportEvent } from '../../../contract/desk-books.ts';
import { imageIdIn } from '../../../contract/image-address.ts';
import type { Actor } from '../../activity/activity.ts';
import { lockImports, setDurable, writesInTurn } from '../../database/engine-differences.ts';
import { rowsPerTurn, takeTurn } from '../../database/row-turns.ts';
import type { Db } from '../../database/tables.ts';
import { canWaitingHelp } from '../../database/unavailable.ts';
import { type AuditEntry, openAuditEntry, type Tally } from './audit-entry.ts';
import { changeOf, shortened } from './changes.ts';
import { checkRow, type ImportRow, WrongRow } from './check-row.ts';
import { findLookalikes } from './lookalikes.ts';
import { type CsvRow, type RowError, readCsv, UnreadableCsv } from './read-csv.ts';
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

/** `changes` and `lookalikes` have the first {@link maxExamples}, `errors` the first {@link maxErrors}. */
export type ImportResult = Omit<Extract<ImportEvent, { type: 'result' }>, 'type'>;

/** How much of a file is done. */
export type ImportDone = {
  bytes: number;
  rows: number;
  /** All rows up to this line are done, whatever becomes of the import. */
  line: number;
};

export type RowImage = {
  /** The one that the book gets. */
  image: string;
  /** It was made of a file or an address: the store has it, or would without a dry run. */
  isMade: boolean;
};

export type ImportOptions = {
  actor: Actor;
  /** Count only, and change nothing. */
  isDryRun: boolean;
  /**
   * @param image as the row has it.
   * @param current the image that the row's book has.
   * @throws {@link WrongImage}
   */
  readImage(image: string, current: string | undefined): RowImage | Promise<RowImage>;
  /** Called after each commit, and each batch. */
  onProgress?(done: ImportDone): void;
  /** Called after each commit that changes the books. */
  onCommitted?(): void;
  /** Ends the import after the transaction that is under way. */
  signal?: AbortSignal;
  /** Whether nobody else writes through `db`, as in a command: then only its last commit waits for the disk. */
  isOnlyWriter?: boolean;
};

export const maxErrors = 1_000;
export const maxExamples = 100;
/** A file with so many mistakes is no list of books. */
const maxCountedErrors = 100_000;
/** How many rows are read, and compared with the catalogue, at a time. */
const batchSize = 200;

/**
 * Imports the rows of a file. Rows with mistakes are left out.
 * @throws what the database throws, and the reason of the signal. What was written before stays.
 */
export async function importBooks(db: Db, source: Readable, options: ImportOptions): Promise<ImportResult> {
  const { actor, isDryRun, onProgress, signal } = options;
  const result: ImportResult = {
    added: 0,
    changed: 0,
    restored: 0,
    unchanged: 0,
    changes: [],
    lookalikes: [],
    lookalikeCount: 0,
    errors: [],
    errorCount: 0,
    missingImages: 0,
  };
  const done: ImportDone = { bytes: 0, rows: 0, line: 0 };
  const addError = (error: RowError) => {
    result.errorCount += 1;
    if (result.errors.length < maxErrors) result.errors.push(error);
  };
  const entry = openAuditEntry(actor);
  const importBatch = openBatches(db, options, {
    result,
    entry,
    addError,
    onDone(line) {
      done.line = line;
      onProgress?.(done);
    },
  });
  const batch: ImportRow[] = [];
  const read = { ...done };
  async function* countBytes() {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      read.bytes += chunk.length;
      yield chunk;
    }
  }
  const flush = async () => {
    signal?.throwIfAborted();
    await importBatch(batch.splice(0));
    Object.assign(done, read);
    onProgress?.(done);
  };
  const seen = openSeenRows();
  const addRow = (row: CsvRow | { error: RowError }) => {
    if ('error' in row) return addError(row.error);
    try {
      const checked = checkRow(row);
      const earlier = seen.addRow(checked);
      if (earlier !== undefined) throw sameBook(checked, earlier);
      batch.push(checked);
    } catch (error) {
      if (!(error instanceof WrongRow)) throw error;
      addError(error.error);
    }
  };
  const importRows = async () => {
    for await (const row of readCsv(countBytes())) {
      read.rows += 1;
      read.line = 'error' in row ? row.error.line : row.line;
      addRow(row);
      if (batch.length >= batchSize || read.rows % batchSize === 0) await flush();
      if (result.errorCount < maxCountedErrors) continue;
      const reason = `The file has ${result.errorCount.toLocaleString('en')} mistakes, and is not read any further.`;
      throw new UnreadableCsv({ line: read.line, column: null, reason });
    }
    await flush();
  };
  const end = async (state: 'finished' | 'stopped'): Promise<void> => {
    // Before the last commit, with which all earlier ones survive a power cut.
    if (options.isOnlyWriter) await setDurable(db, true);
    if (!isDryRun) await entry.write(db, tallyOf(result, done.line), state);
  };
  // What a power cut loses is imported again.
  if (options.isOnlyWriter) await setDurable(db, false);
  try {
    await importRows().catch(async (error: unknown) => {
      if (!(error instanceof UnreadableCsv)) throw error;
      await flush();
      // In a full list too: it says that the file goes on.
      result.errors.splice(maxErrors - 1);
      addError(error.error);
    });
  } catch (error) {
    // What was written stays. If this fails too, the first error says why.
    await end('stopped').catch(() => {});
    throw error;
  } finally {
    source.destroy();
  }
  await end('finished');
  result.errors.sort((one, other) => one.line - other.line);
  return result;
}

const tallyOf = ({ added, changed, restored, unchanged, errorCount }: ImportResult, line: number): Tally => ({
  added,
  changed,
  restored,
  unchanged,
  errors: errorCount,
  line,
});

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
// Each transaction has a cost of its own, however few its rows: with five, 8,000 rows took half as long again on a busy machine.
const sliceSize = { first: 100, min: 100, max: 250 } as const;
/** Each takes longer than a row of an export: its words are computed. */
const preparedPerTurn = 40;
const maxAttempts = 5;

/** A row whose image is known, with the book that it means. */
type WantedRow = { row: ImportRow; book: FoundBook | undefined; isImageMade: boolean };

type BatchParts = {
  result: ImportResult;
  entry: AuditEntry;
  addError(error: RowError): void;
  /** Called after each commit with the line up to which all is done. */
  onDone(line: number): void;
};

/** @returns a function that imports a batch of rows. */
function openBatches(
  db: Db,
  { actor, isDryRun, readImage, onCommitted, signal }: ImportOptions,
  { result, entry, addError, onDone }: BatchParts,
): (rows: readonly ImportRow[]) => Promise<void> {
  const seen = openSeenRows();
  let size: number = sliceSize.first;
  let freeUntil = 0;

  const withImages = async (
    rows: readonly ImportRow[],
    books: ReadonlyMap<ImportRow, FoundBook>,
  ): Promise<WantedRow[]> => {
    const results = await Promise.allSettled(
      rows.map(async (row): Promise<WantedRow> => {
        const book = books.get(row);
        const { image, isMade } = await readImage(row.image, book?.image);
        return { row: { ...row, image }, book, isImageMade: isMade };
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
  const writeSlice = async (rows: readonly ReadyRow[], attempt: number): Promise<void> => {
    const line = rows.at(-1)?.line ?? 0;
    let startedAt = 0;
    if (writesInTurn(db)) await pause(Math.max(0, freeUntil - performance.now()));
    const tally = await db.transaction().execute(async (db) => {
      startedAt = performance.now();
      if (attempt > 1) {
        await lockImports(db);
        const written = await entry.read(db);
        // The commit whose answer was lost.
        if (written?.line === line) return written;
      }
      // First, so that no sweep removes an image that a book is about to use.
      await renewImages(db, rows);
      const outcomes = await writeRows(db, rows, actor);
      const tally = tallyOf(result, line);
      for (const outcome of outcomes.values()) count(tally, outcome);
      await entry.write(db, tally, 'running');
      return tally;
    });
    const tookMs = performance.now() - startedAt;
    const { added, changed, restored, unchanged } = tally;
    Object.assign(result, { added, changed, restored, unchanged });
    onCommitted?.();
    onDone(line);
    const target = writesInTurn(db) ? targetMs.inTurn : targetMs.otherwise;
    const factor = Math.min(2, Math.max(0.5, target / tookMs));
    size = Math.round(Math.min(sliceSize.max, Math.max(sliceSize.min, rows.length * factor)));
    // Another process that waits for SQLite's lock asks for it now and then, and must find it free as often as taken.
    freeUntil = performance.now() + tookMs;
  };

  const writeUntilDone = (rows: readonly ReadyRow[]) => untilDone((attempt) => writeSlice(rows, attempt));

  /** Counts the rows that add a book which the store has already, but for capital letters and spaces. */
  const noteLookalikes = async (wanted: readonly WantedRow[]): Promise<void> => {
    const added = wanted.flatMap(({ row, book }) => (book ? [] : [row]));
    for (const [{ line, title, author }, like] of await untilDone(() => findLookalikes(db, added))) {
      result.lookalikeCount += 1;
      if (result.lookalikes.length >= maxExamples) continue;
      result.lookalikes.push({
        line,
        title: shortened(title),
        author: shortened(author),
        like: { id: like.id, title: shortened(like.title), author: shortened(like.author) },
      });
    }
  };

  return async (rows) => {
    if (rows.length === 0) return;
    const readable = await withImages(rows, await untilDone(() => findBooksOf(db, rows)));
    const imaged = readable.map(({ row }) => row);
    const storedImages = await untilDone(() => findImages(db, imaged));
    const wanted: WantedRow[] = [];
    for (const [index, one] of readable.entries()) {
      if (index % rowsPerTurn === 0) await takeTurn();
      const { row, book, isImageMade } = one;
      const id = book?.id ?? row.id;
      const earlier = id === undefined ? undefined : seen.addBook(id, row.line);
      if (earlier !== undefined) {
        addError(sameBook(row, earlier).error);
        continue;
      }
      const outcome = outcomeOf(row, book);
      if (outcome === 'unchanged') {
        result.unchanged += 1;
        continue;
      }
      wanted.push(one);
      const imageId = isImageMade ? undefined : imageIdIn(row.image);
      if (imageId && !storedImages.has(imageId)) result.missingImages += 1;
      if (!isDryRun) continue;
      count(result, outcome);
      if (book && result.changes.length < maxExamples) result.changes.push(changeOf(row, book));
    }
    await noteLookalikes(wanted);
    if (isDryRun) return;
    while (wanted.length > 0) {
      signal?.throwIfAborted();
      const slice: ReadyRow[] = [];
      // Here and not before: the time counts as one in which others find the lock free.
      for (const { row, book } of wanted.splice(0, size)) {
        slice.push(makeReady(row, book));
        if (slice.length % preparedPerTurn === 0) await takeTurn();
      }
      await writeUntilDone(slice);
    }
  };
}

/** Repeats work that may be repeated while the database cannot do it, for some seconds. */
async function untilDone<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === maxAttempts || !canWaitingHelp(error)) throw error;
      await pause(100 * 2 ** attempt);
    }
  }
}

function count(counts: Pick<Tally, Outcome>, outcome: Outcome): void {
  counts[outcome] += 1;
  if (outcome === 'restored') counts.changed += 1;
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
