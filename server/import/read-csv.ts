import { isUtf8 } from 'node:buffer';
import { type CsvError, Parser } from 'csv-parse';
import { type CsvColumn, csvColumns, requiredColumns as required } from '../../contract/book-fields.ts';
import { textOfFormula, tidyText, tidyValue } from '../../contract/pasted-text.ts';
import { unescapeCell } from '../exports/csv-line.ts';

/** A mistake in a file. `line` counts from 1, the header's; `column` is null where the whole row is meant. */
export type RowError = { line: number; column: CsvColumn | null; reason: string };

export type CsvRow = {
  line: number;
  cells: Partial<Record<CsvColumn, string | null>>;
  /** A comma may be the decimal point: it is not between the cells. */
  hasDecimalComma: boolean;
};

export type WrongRow = { line: number; error: RowError };

export class UnreadableCsv extends Error {
  readonly error: RowError;

  constructor(reason: string, line = 1, column: CsvColumn | null = null, options?: ErrorOptions) {
    super(reason, options);
    this.error = { line, column, reason };
  }
}

/**
 * Reads a CSV file (RFC 4180) in UTF-8. The first line names the columns, in any order and case, with commas, semicolons or tabs between
 * them; a line before it, such as `sep=;`, may say which.
 * @throws {UnreadableCsv} for a wrong first line, and where quotes are wrong.
 */
export async function* readCsv(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow | WrongRow> {
  let columns: CsvColumn[] | undefined;
  let maxCells = 0;
  for await (const { line, cells, delimiter } of readRecords(source)) {
    // A row whose cells were emptied in a spreadsheet says no more than an empty line.
    if (cells.every(isEmpty)) continue;
    const count = cells.length;
    if (!columns) {
      columns = readHeader(cells, line);
      maxCells = count;
    } else if (count >= columns.length && count <= maxCells && cells.slice(columns.length).every(isEmpty)) {
      yield { line, cells: cellsOf(cells, columns), hasDecimalComma: delimiter !== ',' };
    } else {
      const reason = reasonOfLength(count, columns.length, delimiter);
      yield { line, error: { line, column: null, reason } };
    }
  }
  if (!columns) throw new UnreadableCsv('The file is empty.');
}

/** Between the cells. A spreadsheet writes semicolons where a comma is the decimal point. */
type Delimiter = ',' | ';' | '\t';
const delimiterNames: Readonly<Record<Delimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** Each letter of a cell is a byte (latin1), so that each cell tells whether it is UTF-8. */
type CsvRecord = { line: number; cells: string[]; delimiter: Delimiter };

/** A row of the longest texts, with each letter of four bytes, is shorter. */
const maxRowBytes = 64 * 1024;

async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  let start = Buffer.alloc(0);
  let split: ReturnType<typeof openSplitter> | undefined;
  for await (const chunk of source) {
    if (split) yield* split(chunk);
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < maxRowBytes && !/[^\r\n][\r\n]/.test(start.toString('latin1'))) continue;
      split = openSplitter(start);
      yield* split(contentOf(start));
    }
  }
  if (!split) {
    split = openSplitter(start);
    yield* split(contentOf(start));
  }
  yield* split('end');
}

const faults: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE:
    'A quote is in the middle of a cell. Put the whole cell in quotes, and write the quote twice.',
  CSV_INVALID_CLOSING_QUOTE: 'Text follows a closing quote. Write a quote within quotes twice.',
  CSV_QUOTE_NOT_CLOSED: 'A quote is opened and not closed.',
};

function openSplitter(start: Buffer) {
  checkFormat(start);
  const delimiter = delimiterOf(start);
  const records: CsvRecord[] = [];
  let line = 1;
  let [written, read] = [0, 0];
  const parser = new Parser({
    delimiter,
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record(cells: string[], { bytes }) {
      records.push({ line, cells, delimiter });
      // The parser counts a \r\n within quotes as two lines.
      for (const cell of cells) line += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
      line += 1;
      read = bytes;
      // Each is the first one to the parser, which makes an error, with its stack, of each that has another number of cells than the first.
      Object.assign(parser.info, { records: 0 });
      return null;
    },
  });
  // The callback of each write has it.
  parser.on('error', () => {});
  return async function* (bytes: Buffer | 'end'): AsyncGenerator<CsvRecord> {
    const error = await new Promise<Error | null | undefined>((done) => {
      if (bytes === 'end') parser.end(done);
      else parser.write(bytes, done);
    });
    // Those before an error too, which the parser drops as a stream.
    yield* records.splice(0);
    if (bytes !== 'end') written += bytes.length;
    const fail = (reason: string): never => {
      throw new UnreadableCsv(`${reason} The file is not read any further.`, line, null, { cause: error });
    };
    // `max_record_size` counts the cells alone: a row of very many empty ones would take all memory.
    if (written - read > maxRowBytes)
      fail('The row is longer than a book can be. Perhaps a quote is not closed.');
    if (error) fail(faults[(error as Partial<CsvError>).code ?? ''] ?? error.message);
  };
}

/** The byte order mark, and what a line such as `sep=;` has in it. */
const contentStart = /^(?:\u00ef\u00bb\u00bf)?(?:sep=([,;\t])(?=[\r\n]))?/i;
const contentOf = (start: Buffer): Buffer =>
  start.subarray(contentStart.exec(start.toString('latin1'))?.[0].length);

const isEmpty = (cell: string): boolean => tidyValue(utf8Of(cell)) === '';
const utf8Of = (cell: string): string => Buffer.from(cell, 'latin1').toString();

function cellsOf(record: readonly string[], columns: readonly CsvColumn[]): CsvRow['cells'] {
  const cells: CsvRow['cells'] = {};
  for (const [index, column] of columns.entries()) {
    const bytes = Buffer.from(record[index] ?? '', 'latin1');
    const text = bytes.toString();
    cells[column] = isUtf8(bytes) ? tidyText(textOfFormula(text) ?? unescapeCell(text)) : null;
  }
  return cells;
}

function reasonOfLength(cells: number, columns: number, delimiter: Delimiter): string {
  const reason = `Has ${cells} cells, and the first line has ${columns}.`;
  if (cells < columns) return reason;
  return `${reason} A cell with a ${delimiterNames[delimiter]} in it needs quotes around it.`;
}

/** How zip archives begin, as a workbook is one, and older workbooks. */
const workbooks = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];
const utf16Marks = ['\xff\xfe', '\xfe\xff'];

function checkFormat(start: Buffer): void {
  const begins = (mark: string) => start.indexOf(mark, 0, 'latin1') === 0;
  if (workbooks.some(begins)) throw new UnreadableCsv('This is an Excel workbook. Save it as “CSV UTF-8”.');
  // A Latin letter in UTF-16 has two bytes, of which one is 0.
  if (utf16Marks.some(begins) || start[0] === 0 || start[1] === 0)
    throw new UnreadableCsv('The file is in UTF-16. Save it as “CSV UTF-8”.');
}

function delimiterOf(start: Buffer): Delimiter {
  const text = start.toString('latin1');
  const named = contentStart.exec(text)?.[1];
  if (named) return named as Delimiter;
  const [line = ''] = /[^\r\n]+/.exec(text) ?? [];
  const countOf = (delimiter: Delimiter) => line.split(delimiter).length;
  const delimiters = Object.keys(delimiterNames) as Delimiter[];
  return delimiters.reduce((best, delimiter) => (countOf(delimiter) > countOf(best) ? delimiter : best));
}

function readHeader(record: readonly string[], line: number): CsvColumn[] {
  const count = record.findLastIndex((cell) => !isEmpty(cell)) + 1;
  const names = record.slice(0, count).map((cell) => tidyValue(utf8Of(cell)).toLowerCase());
  const fail = (reason: string, column: CsvColumn | null = null): never => {
    throw new UnreadableCsv(reason, line, column);
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
