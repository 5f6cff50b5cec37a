/** Reads a CSV file (RFC 4180) row by row, with the line on which each row begins. */

import { isUtf8 } from 'node:buffer';
import { type CsvColumn, csvColumns, requiredColumns as required } from '../../contract/book-fields.ts';
import { textOfFormula, tidyText, tidyValue } from '../../contract/pasted-text.ts';
import { unescapeCell } from '../exports/csv-line.ts';
import { type Delimiter, maxRowBytes, readRecords, WrongRecord } from './csv-records.ts';

/** A mistake in a file. `line` counts from 1, the header's; `column` is null where the whole row is meant. */
export type RowError = { line: number; column: CsvColumn | null; reason: string };

/** The cells of a row. A column that the file lacks is undefined; one that is not UTF-8 is null. */
export type CsvRow = {
  line: number;
  cells: Partial<Record<CsvColumn, string | null>>;
  /** A comma may be the decimal point: it is not between the cells. */
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

/**
 * @param source UTF-8, with or without a byte order mark; the next chunk may overwrite the one before. The first line names the columns, in any order and case, with commas,
 * semicolons or tabs between them; a line before it, such as `sep=;`, may say which.
 * @returns the rows that have a cell for each column; of others the error. Empty lines are left out.
 * @throws {UnreadableCsv} for a wrong first line, and where quotes are wrong.
 */
export async function* readCsv(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow | { error: RowError }> {
  // The source closes its file also where the reading ends at its first chunk.
  await using chunks = withFirstLine(source);
  const { delimiter, bytes } = await openFile(chunks);
  let columns: CsvColumn[] | undefined;
  try {
    for await (const { line, cells, cellCount, isRestEmpty } of readRecords(bytes, delimiter)) {
      // A row whose cells were emptied in a spreadsheet says no more than an empty line.
      if (isRestEmpty && cells.every(isEmpty)) continue;
      if (!columns) columns = readHeader(cells, line);
      else if (isRowOf(columns, cells, cellCount)) {
        yield { line, cells: cellsOf(cells, columns), hasDecimalComma: delimiter !== ',' };
      } else {
        const reason = reasonOfLength(cellCount, columns.length, delimiter);
        yield { error: { line, column: null, reason } };
      }
    }
  } catch (error) {
    if (!(error instanceof WrongRecord)) throw error;
    const reason = `${error.message} The file is not read any further.`;
    throw new UnreadableCsv({ line: error.line, column: null, reason }, { cause: error });
  }
  if (!columns) throw new UnreadableCsv({ line: 1, column: null, reason: 'The file is empty.' });
}

/** A row has a cell for each column; those below empty cells at the header’s end are empty. */
const isRowOf = (columns: readonly CsvColumn[], cells: readonly Buffer[], cellCount: number): boolean =>
  cellCount >= columns.length && cellCount === cells.length && cells.slice(columns.length).every(isEmpty);

const isEmpty = (cell: Buffer): boolean => tidyValue(cell.toString()) === '';

const delimiterNames: Readonly<Record<Delimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

function reasonOfLength(cells: number, columns: number, delimiter: Delimiter): string {
  const reason = `Has ${cells} cells, and the first line has ${columns}.`;
  if (cells < columns) return reason;
  return `${reason} A cell with a ${delimiterNames[delimiter]} in it needs quotes around it.`;
}

const byteOrderMark = Buffer.from('\ufeff');

/**
 * @param chunks the first one has the first line.
 * @returns what is between the cells, which a line such as `sep=;` may name, and the bytes without the mark and this text.
 * @throws {UnreadableCsv} for a file that is no CSV file in UTF-8.
 */
async function openFile(
  chunks: AsyncGenerator<Buffer, undefined>,
): Promise<{ delimiter: Delimiter; bytes: AsyncIterable<Buffer> }> {
  const first = (await chunks.next()).value ?? Buffer.alloc(0);
  checkFormat(first);
  const start = first.indexOf(byteOrderMark) === 0 ? first.subarray(byteOrderMark.length) : first;
  const [separatorLine = '', named] = /^sep=([,;\t])(?=[\r\n])/i.exec(start.toString('latin1')) ?? [];
  async function* content() {
    yield start.subarray(separatorLine.length);
    yield* chunks;
  }
  return { delimiter: (named as Delimiter | undefined) ?? delimiterOf(start), bytes: content() };
}

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
  // A Latin letter in UTF-16 has two bytes, of which one is 0.
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
  const count = record.findLastIndex((cell) => !isEmpty(cell)) + 1;
  const names = record.slice(0, count).map((cell) => tidyValue(cell.toString()).toLowerCase());
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
    if (bytes) cells[column] = isUtf8(bytes) ? textIn(bytes.toString()) : null;
  }
  return cells;
}

const textIn = (cell: string): string => tidyText(textOfFormula(cell) ?? unescapeCell(cell));
