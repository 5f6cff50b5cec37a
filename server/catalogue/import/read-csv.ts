/** Reads a CSV file (RFC 4180) row by row, with the line on which each row begins. */

import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import { type CsvColumn, csvColumns, unescapeCell } from '../csv-cells.ts';

/** A mistake in a file. `line` counts from 1, the header's; `column` is null where the whole row is meant. */
export type RowError = { line: number; column: CsvColumn | null; reason: string };

/** Between the cells. A spreadsheet writes semicolons where a comma is the decimal point. */
type Delimiter = ',' | ';' | '\t';

/** The cells of a row. A column that the file lacks is undefined; one that is not UTF-8 is null. */
export type CsvRow = {
  line: number;
  cells: Partial<Record<CsvColumn, string | null>>;
  /** Whether a comma may be the decimal point: it is not between the cells. */
  hasDecimalComma: boolean;
};

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
 * @param source UTF-8, with or without a byte order mark. The first line names the columns, in any order and case, with commas,
 * semicolons or tabs between them.
 * @returns the rows that have a cell for each column; of others the error. Empty lines are left out.
 * @throws {UnreadableCsv} for a wrong first line, and where quotes are wrong.
 */
export async function* readCsv(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow | { error: RowError }> {
  let columns: CsvColumn[] | undefined;
  let line = 1;
  for await (const { records, error, delimiter } of readRecords(source)) {
    for (const record of records) {
      const start = line;
      line += 1 + record.reduce((sum, cell) => sum + countLineBreaks(cell), 0);
      // An empty line has one empty cell.
      if (record.length === 1 && record[0]?.length === 0) continue;
      if (!columns) columns = readHeader(record, start);
      else if (record.length === columns.length) {
        yield { line: start, cells: cellsOf(record, columns), hasDecimalComma: delimiter !== ',' };
      } else {
        const reason = reasonOfLength(record.length, columns.length, delimiter);
        yield { error: { line: start, column: null, reason } };
      }
    }
    if (error) throw new UnreadableCsv({ line, column: null, reason: reasonOf(error) }, { cause: error });
  }
  if (!columns) throw new UnreadableCsv({ line: 1, column: null, reason: 'The file is empty.' });
}

const delimiterNames: Readonly<Record<Delimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

function reasonOfLength(cells: number, columns: number, delimiter: Delimiter): string {
  const reason = `Has ${cells} cells, and the first line has ${columns}.`;
  if (cells < columns) return reason;
  return `${reason} A cell with a ${delimiterNames[delimiter]} in it needs quotes around it.`;
}

type Records = { records: Buffer[][]; error: CsvError | undefined; delimiter: Delimiter };

/**
 * Reads the records of each chunk of a source; `error` after the records that come before it. The parser's own stream would
 * drop those that nobody has read yet.
 * @throws {UnreadableCsv} for a file that is no CSV file in UTF-8.
 */
async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<Records> {
  const chunks = withFirstLine(source);
  const first = (await chunks.next()).value ?? Buffer.alloc(0);
  checkFormat(first);
  const delimiter = delimiterOf(first);
  let records: Buffer[][] = [];
  let error: CsvError | undefined;
  const parser = parse({
    delimiter,
    encoding: null,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRowBytes,
    on_record(record: unknown) {
      // Without an encoding the cells are bytes.
      records.push(record as Buffer[]);
      // As if each were the first: the parser makes an error of every record that is not as long as the first one, also where
      // the length is free, and a megabyte of empty lines took a minute.
      Object.assign(parser.info, { records: 0 });
      return null;
    },
  });
  parser.resume().on('error', (reason) => {
    if (!(reason instanceof CsvError)) throw reason;
    error = reason;
  });
  const take = () => {
    const taken = { records, error, delimiter };
    records = [];
    return taken;
  };
  const read = async (chunk: Buffer) => {
    await new Promise((resolve) => parser.write(chunk, resolve));
    return take();
  };
  // The parser would leave it out too, and then give texts: bytes that are not UTF-8 would be lost.
  yield await read(first.indexOf(byteOrderMark) === 0 ? first.subarray(byteOrderMark.length) : first);
  if (error) return;
  for await (const chunk of chunks) {
    yield await read(chunk);
    if (error) return;
  }
  parser.end();
  await new Promise((resolve) => parser.once('close', resolve));
  yield take();
}

const byteOrderMark = Buffer.from('\ufeff');

/** @returns the chunks of a source; the first one has at least the first line that is not empty, as far as a row may be long. */
async function* withFirstLine(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (!start) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < maxRowBytes && !/[^\r\n][\r\n]/.test(start.toString('latin1'))) continue;
    yield start;
    start = undefined;
  }
  if (start) yield start;
}

/** The first bytes of a zip archive, as a workbook is one, and of an older workbook. */
const workbooks = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** @throws {UnreadableCsv} for what a spreadsheet stores unless it is told otherwise. */
function checkFormat(start: Buffer): void {
  const fail = (reason: string): never => {
    throw new UnreadableCsv({ line: 1, column: null, reason });
  };
  const begins = (bytes: Buffer) => start.indexOf(bytes) === 0;
  if (workbooks.some(begins)) fail('This is an Excel workbook. Save it as “CSV UTF-8”.');
  // Of a Latin letter in UTF-16, one of two bytes is 0.
  const hasZero = start[0] === 0 || start[1] === 0;
  if (utf16Marks.some(begins) || hasZero) fail('The file is in UTF-16. Save it as “CSV UTF-8”.');
}

/** @returns what is most often between the names of the columns. */
function delimiterOf(start: Buffer): Delimiter {
  const [line = ''] = /[^\r\n]+/.exec(start.toString('latin1')) ?? [];
  const countOf = (delimiter: Delimiter) => line.split(delimiter).length;
  const delimiters = Object.keys(delimiterNames) as Delimiter[];
  return delimiters.reduce((best, delimiter) => (countOf(delimiter) > countOf(best) ? delimiter : best));
}

/** @throws {UnreadableCsv} */
function readHeader(record: readonly Buffer[], line: number): CsvColumn[] {
  const names = record.map((cell) => cell.toString().trim().toLowerCase());
  const fail = (reason: string, column: CsvColumn | null = null): never => {
    throw new UnreadableCsv({ line, column, reason });
  };
  const missing = required.filter((column) => !names.includes(column));
  if (missing[0]) {
    // One of four is most often a misspelling, and all of them a file without a header.
    const which =
      missing.length < required.length
        ? ` ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`
        : '';
    fail(
      `The first line must name the columns ${required.join(', ')}, with commas, semicolons or tabs between them.${which}`,
      missing[0],
    );
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
