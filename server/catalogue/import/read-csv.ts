/** Reads a CSV file (RFC 4180) row by row, with the line on which each row begins. */

import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import { type CsvColumn, csvColumns, unescapeCell } from '../csv-cells.ts';

/** A mistake in a file. `line` counts from 1, the header's; `column` is null where the whole row is meant. */
export type RowError = { line: number; column: CsvColumn | null; reason: string };

/** The cells of a row. A column that the file lacks is undefined; one that is not UTF-8 is null. */
export type CsvRow = { line: number; cells: Partial<Record<CsvColumn, string | null>> };

/** The file cannot be read any further. */
export class UnreadableCsv extends Error {
  readonly error: RowError;

  constructor(error: RowError, options?: ErrorOptions) {
    super(error.reason, options);
    this.error = error;
  }
}

const required: readonly CsvColumn[] = ['title', 'author', 'price', 'image'];
/** A row of the longest texts, with each letter of four bytes, is shorter. A quote that nothing closes ends here. */
const maxRowBytes = 64 * 1024;

/**
 * @param source UTF-8, with or without a byte order mark. The first line names the columns, in any order and case.
 * @returns the rows that have a cell for each column; of others the error. Empty lines are left out.
 * @throws {UnreadableCsv} for a wrong first line, and where quotes are wrong.
 */
export async function* readCsv(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow | { error: RowError }> {
  let columns: CsvColumn[] | undefined;
  let line = 1;
  for await (const { records, error } of readRecords(source)) {
    for (const record of records) {
      const start = line;
      line += 1 + record.reduce((sum, cell) => sum + countLineBreaks(cell), 0);
      // An empty line has one empty cell.
      if (record.length === 1 && record[0]?.length === 0) continue;
      if (!columns) columns = readHeader(record, start);
      else if (record.length === columns.length) yield { line: start, cells: cellsOf(record, columns) };
      else {
        const reason = `Has ${record.length} cells, and the first line has ${columns.length}.`;
        yield { error: { line: start, column: null, reason } };
      }
    }
    if (error) throw new UnreadableCsv({ line, column: null, reason: reasonOf(error) }, { cause: error });
  }
  if (!columns) throw new UnreadableCsv({ line: 1, column: null, reason: 'The file is empty.' });
}

/**
 * Reads the records of each chunk of a source; `error` after the records that come before it. The parser's own stream would
 * drop those that nobody has read yet.
 */
async function* readRecords(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ records: Buffer[][]; error: CsvError | undefined }> {
  let records: Buffer[][] = [];
  let error: CsvError | undefined;
  const parser = parse({
    encoding: null,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRowBytes,
    on_record(record: unknown) {
      // Without an encoding the cells are bytes.
      records.push(record as Buffer[]);
      return null;
    },
  });
  parser.resume().on('error', (reason) => {
    if (!(reason instanceof CsvError)) throw reason;
    error = reason;
  });
  const take = () => {
    const taken = { records, error };
    records = [];
    return taken;
  };
  for await (const chunk of withoutMark(source)) {
    await new Promise((resolve) => parser.write(chunk, resolve));
    yield take();
    if (error) return;
  }
  parser.end();
  await new Promise((resolve) => parser.once('close', resolve));
  yield take();
}

const byteOrderMark = Buffer.from('\ufeff');

/** Leaves out a byte order mark. The parser does too, and would then give texts: bytes that are not UTF-8 would be lost. */
async function* withoutMark(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let isStart = true;
  for await (const chunk of source) {
    if (!isStart) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < byteOrderMark.length) continue;
    isStart = false;
    yield start.indexOf(byteOrderMark) === 0 ? start.subarray(byteOrderMark.length) : start;
  }
  if (isStart) yield start;
}

/** @throws {UnreadableCsv} */
function readHeader(record: readonly Buffer[], line: number): CsvColumn[] {
  const names = record.map((cell) => cell.toString().trim().toLowerCase());
  const fail = (reason: string, column: CsvColumn | null = null): never => {
    throw new UnreadableCsv({ line, column, reason });
  };
  const missing = required.find((column) => !names.includes(column));
  if (missing) {
    fail(`The first line must name the columns ${required.join(', ')}, with commas between them.`, missing);
  }
  const columns = names.map(
    (name) =>
      csvColumns.find((column) => column === name) ??
      fail(`"${name.slice(0, 40)}" is no column: those are ${csvColumns.join(', ')}.`),
  );
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice) fail('The first line names this column twice.', twice);
  return columns;
}

function cellsOf(record: readonly Buffer[], columns: readonly CsvColumn[]): CsvRow['cells'] {
  const cells: CsvRow['cells'] = {};
  for (const [index, column] of columns.entries()) {
    const bytes = record[index];
    if (bytes) cells[column] = isUtf8(bytes) ? unescapeCell(bytes.toString()).trim() : null;
  }
  return cells;
}

/** CR, LF, or both together. */
function countLineBreaks(cell: Buffer): number {
  if (!cell.includes(0x0a) && !cell.includes(0x0d)) return 0;
  return cell.toString('latin1').match(/\r\n|\n|\r/g)?.length ?? 0;
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quote is opened and not closed.',
  CSV_INVALID_CLOSING_QUOTE: 'Text follows a closing quote. Write a quote within quotes twice.',
  INVALID_OPENING_QUOTE:
    'A quote is in the middle of a cell. Put the whole cell in quotes, and write the quote twice.',
  CSV_MAX_RECORD_SIZE: 'The row is longer than a book can be. Perhaps a quote is not closed.',
};

const reasonOf = ({ code }: CsvError): string =>
  `${reasons[code] ?? 'The row cannot be read.'} The file is not read any further.`;
