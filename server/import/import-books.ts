/**
 * Imports books from a CSV file (docs/decisions/0038): reads its rows, plans what becomes of each batch of them, and writes that
 * in slices. A row changes its book, or adds one; what is there already is left alone, so an import that was interrupted is
 * simply run again.
 */

import { imageIdIn } from '../../contract/image-address.ts';
import type { Actor } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import { readInTurn, takeTurn } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { checkRow, type ImportRow } from './check-row.ts';
import { WrongImage } from './fetch-image.ts';
import { findLookalikes } from './lookalikes.ts';
import { type CsvRow, type RowError, readCsv, UnreadableCsv } from './read-csv.ts';
import { type ImportResult, openReport, type Report } from './report.ts';
import { openSeenRows, type SeenRows } from './seen-rows.ts';
import { findBooksOf, outcomeOf } from './write-rows.ts';
import { findImages, SliceWriter, untilDone, type WantedRow } from './write-slices.ts';

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
  /** The import alone writes through `db`, as in a command: then only its last commit waits for the disk. */
  isOnlyWriter?: boolean;
};

/** A file with so many mistakes is no list of books. */
const maxCountedErrors = 100_000;
/** How many rows are read, and compared with the catalogue, at a time. */
const batchSize = 200;

/**
 * Imports the rows of a file. Rows with mistakes are left out.
 * @param source the next chunk may overwrite the one before.
 * @throws what the database throws, and the reason of the signal. What was written before stays.
 */
export async function importBooks(
  db: Db,
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { actor, isDryRun, onProgress, onCommitted, signal, isOnlyWriter } = options;
  const report = openReport();
  const seen = openSeenRows();
  const writer = new SliceWriter(db, actor, report);
  const done: ImportDone = { bytes: 0, rows: 0, line: 0 };
  const progress = (now: Partial<ImportDone>) => {
    Object.assign(done, now);
    onProgress?.(done);
  };
  const importBatch = async (rows: readonly ImportRow[]) => {
    const read = await findImagesAndBooks(db, rows, options, report);
    const storedImages = await untilDone(() => readInTurn(() => findImages(db, read)));
    await takeTurn();
    const wanted = planBatch(read, storedImages, seen, report);
    await noteLookalikes(db, wanted, report);
    if (isDryRun) {
      for (const { row, book } of wanted) {
        report.count(outcomeOf(row, book));
        if (book) report.addChange(row, book);
      }
      return;
    }
    while (wanted.length > 0) {
      signal?.throwIfAborted();
      const line = await writer.writeNext(wanted);
      onCommitted?.();
      progress({ line });
    }
  };
  const end = async (state: 'finished' | 'stopped'): Promise<void> => {
    // Before the last commit, with which all earlier ones survive a power cut.
    if (isOnlyWriter) await engineOf(db).setDurable(db, true);
    if (!isDryRun) await writer.end(state, done.line);
  };
  // Rows that a power cut loses are imported again.
  if (isOnlyWriter) await engineOf(db).setDurable(db, false);
  try {
    for await (const { rows, read } of readBatches(source, seen, report)) {
      signal?.throwIfAborted();
      if (rows.length > 0) await importBatch(rows);
      progress(read);
    }
  } catch (error) {
    // The rows that were written stay. If this fails too, the first error says why.
    await end('stopped').catch(() => {});
    throw error;
  }
  await end('finished');
  return { ...report.result, errors: report.result.errors.toSorted((one, other) => one.line - other.line) };
}

/** Reads the rows of a file in batches, with how much was read. What is wrong with a row, or ends the file, is reported. */
async function* readBatches(
  source: AsyncIterable<Buffer>,
  seen: SeenRows,
  report: Report,
): AsyncGenerator<{ rows: ImportRow[]; read: ImportDone }> {
  const read: ImportDone = { bytes: 0, rows: 0, line: 0 };
  const rows: ImportRow[] = [];
  const batch = () => ({ rows: rows.splice(0), read: { ...read } });
  const addRow = (row: CsvRow): RowError | undefined => {
    const checked = checkRow(row);
    if ('error' in checked) return checked.error;
    const earlier = seen.addRow(checked);
    if (earlier !== undefined) return sameBook(checked, earlier);
    rows.push({ ...checked, isIsbnShared: seen.addIsbn(checked) });
    return undefined;
  };
  async function* countBytes() {
    for await (const chunk of source) {
      read.bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const row of readCsv(countBytes())) {
      read.rows += 1;
      read.line = 'error' in row ? row.error.line : row.line;
      const error = 'error' in row ? row.error : addRow(row);
      if (error) report.addError(error);
      if (read.rows % batchSize === 0) yield batch();
      const { errorCount } = report.result;
      if (errorCount < maxCountedErrors) continue;
      const reason = `The file has ${errorCount.toLocaleString('en')} mistakes, and is not read any further.`;
      throw new UnreadableCsv({ line: read.line, column: null, reason });
    }
    yield batch();
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    yield batch();
    report.addLastError(error.error);
  }
}

const sameBook = ({ line, id }: ImportRow, earlier: number): RowError => ({
  line,
  column: id === undefined ? 'title' : 'id',
  reason: `Line ${earlier} has the same book.`,
});

/** A row whose image is known, with the book that it means. */
type ReadRow = WantedRow & { isImageMade: boolean };

/** @returns the rows with the books that they mean, and with images that those can have. */
async function findImagesAndBooks(
  db: Db,
  rows: readonly ImportRow[],
  { readImage }: ImportOptions,
  report: Report,
): Promise<ReadRow[]> {
  const books = await untilDone(() => readInTurn(() => findBooksOf(db, rows)));
  const results = await Promise.allSettled(
    rows.map(async (row): Promise<ReadRow> => {
      const book = books.get(row);
      const { image, isMade } = await readImage(row.details.image, book?.image);
      return { row: { ...row, details: { ...row.details, image } }, book, isImageMade: isMade };
    }),
  );
  return results.flatMap((settled, index) => {
    if (settled.status === 'fulfilled') return [settled.value];
    if (!(settled.reason instanceof WrongImage)) throw settled.reason;
    report.addError({ line: rows[index]?.line ?? 0, column: 'image', reason: settled.reason.message });
    return [];
  });
}

/** @returns the rows that add or change a book, each book once. */
function planBatch(
  read: readonly ReadRow[],
  storedImages: ReadonlySet<string>,
  seen: SeenRows,
  report: Report,
): WantedRow[] {
  return read.filter(({ row, book, isImageMade }) => {
    const id = book?.id ?? row.id;
    const earlier = id === undefined ? undefined : seen.addBook(id, row.line);
    if (earlier !== undefined) {
      report.addError(sameBook(row, earlier));
      return false;
    }
    if (outcomeOf(row, book) === 'unchanged') {
      report.count('unchanged');
      return false;
    }
    const imageId = isImageMade ? undefined : imageIdIn(row.details.image);
    if (imageId && !storedImages.has(imageId)) report.addMissingImage();
    return true;
  });
}

/** Reports the rows that add a book which the store has already, but for capital letters and spaces. */
async function noteLookalikes(db: Db, wanted: readonly WantedRow[], report: Report): Promise<void> {
  const added = wanted.flatMap(({ row, book }) => (book ? [] : [row]));
  for (const [row, like] of await untilDone(() => findLookalikes(db, added))) report.addLookalike(row, like);
}
