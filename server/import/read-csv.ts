import { type CsvError, Parser } from 'csv-parse';
import { type CsvColumn, csvColumns, requiredColumns as required } from '../../contract/book-fields.ts';
import { textOfFormula, tidyText, tidyValue } from '../../contract/pasted-text.ts';
import { unescapeCell } from '../exports/csv-line.ts';

/** A mistake in a file. `line` counts from 1, which is the header; `column` is null if the whole row is wrong. */
export type RowError = { line: number; column: CsvColumn | null; reason: string };

export type CsvRow = { line: number; cells: Partial<Record<CsvColumn, string>> };

export class UnreadableCsv extends Error {
  readonly error: RowError;

  constructor(reason: string, line = 1, column: CsvColumn | null = null) {
    super(reason);
    this.error = { line, column, reason };
  }
}

/**
 * Reads a CSV file (RFC 4180) in UTF-8. The first line names the columns, in any order and case, separated by commas, semicolons or tabs; a
 * line before it, such as `sep=;`, may name the separator. @throws {UnreadableCsv} for a wrong first line, and for wrong quotes.
 */
export async function* readCsv(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow | RowError> {
  let file: ReturnType<typeof openFile> | undefined;
  for await (const chunk of source) {
    file ??= openFile(chunk);
    yield* file.read(chunk);
  }
  file ??= openFile(Buffer.alloc(0));
  yield* file.end();
}

/** Separators of cells. A spreadsheet writes semicolons where a comma is the decimal point. */
type Delimiter = ',' | ';' | '\t';
const delimiterNames: Readonly<Record<Delimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** The longest row: even the longest texts, with four bytes a letter, fit. */
const maxRowBytes = 64 * 1024;

const faults: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE:
    'A quote is in the middle of a cell. Put the whole cell in quotes, and write the quote twice.',
  CSV_INVALID_CLOSING_QUOTE: 'Text follows a closing quote. Write a quote within quotes twice.',
  CSV_QUOTE_NOT_CLOSED: 'A quote is opened and not closed.',
};

/** @param start the first bytes, with the first line, which tells the format. */
function openFile(start: Buffer) {
  checkFormat(start);
  const delimiter = delimiterOf(start);
  const rows: (CsvRow | RowError)[] = [];
  let header: Header | undefined;
  let line = 1;
  let [written, parsed] = [0, 0];
  const parser = new Parser({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record(record: string[], { bytes }) {
      const cells = record.map(textOf);
      // A row whose cells were emptied in a spreadsheet means the same as an empty line.
      if (!cells.every(isEmpty)) {
        if (header) rows.push(rowOf({ line, cells, delimiter }, header));
        else if (!/^sep=.$/i.test(cells.join(delimiter))) header = readHeader(cells, line);
      }
      // The parser counts a \r\n within quotes as two lines.
      line += 1 + (record.join(delimiter).match(/\r\n|\r|\n/g)?.length ?? 0);
      parsed = bytes;
      return null;
    },
  });
  // The callback of each write gets the error.
  parser.on('error', () => {});
  type Done = (error?: Partial<CsvError> | null) => void;
  async function* rowsAfter(write: (done: Done) => void) {
    const error = await new Promise<Parameters<Done>[0]>(write);
    // The rows before an error are yielded too. The parser's own stream would drop them.
    yield* rows.splice(0);
    if (error instanceof UnreadableCsv) throw error;
    const fail = (reason: string) => new UnreadableCsv(`${reason} The file is not read any further.`, line);
    // `max_record_size` only limits the content of cells: a row of very many empty cells would take all memory.
    if (written - parsed > maxRowBytes)
      throw fail('The row is longer than a book can be. Perhaps a quote is not closed.');
    if (error) throw fail(faults[error.code ?? ''] ?? String(error.message));
  }
  return {
    read(chunk: Buffer) {
      written += chunk.length;
      return rowsAfter((done) => parser.write(chunk, (error) => done(error as Partial<CsvError>)));
    },
    async *end() {
      yield* rowsAfter((done) => parser.end(done));
      if (!header) throw new UnreadableCsv('The file is empty.');
    },
  };
}

const textOf = (cell: string): string => tidyText(textOfFormula(cell) ?? unescapeCell(cell));

const isEmpty = (cell: string): boolean => tidyValue(cell) === '';

type Header = { columns: readonly CsvColumn[]; maxCells: number };

function rowOf(
  { line, cells, delimiter }: { line: number; cells: readonly string[]; delimiter: Delimiter },
  { columns, maxCells }: Header,
): CsvRow | RowError {
  const count = cells.length;
  if (count >= columns.length && count <= maxCells && cells.slice(columns.length).every(isEmpty)) {
    const named = columns.map((column, index) => [column, cells[index]]);
    return { line, cells: Object.fromEntries(named) };
  }
  const hint =
    count < columns.length ? '' : ` A cell with a ${delimiterNames[delimiter]} in it needs quotes around it.`;
  const reason = `Has ${count} cells, and the first line has ${columns.length}.${hint}`;
  return { line, column: null, reason };
}

/** The first bytes of a zip archive, the format of modern workbooks, and of older workbooks. */
const workbooks = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];
const utf16Marks = ['\xff\xfe', '\xfe\xff'];

function checkFormat(start: Buffer): void {
  const begins = (mark: string) => start.indexOf(mark, 0, 'latin1') === 0;
  if (workbooks.some(begins)) throw new UnreadableCsv('This is an Excel workbook. Save it as “CSV UTF-8”.');
  // In UTF-16, a Latin letter has two bytes, one of which is 0.
  if (utf16Marks.some(begins) || start[0] === 0 || start[1] === 0)
    throw new UnreadableCsv('The file is in UTF-16. Save it as “CSV UTF-8”.');
}

function delimiterOf(start: Buffer): Delimiter {
  const [line = ''] = /[^\r\n]+/.exec(start.toString()) ?? [];
  const countOf = (delimiter: Delimiter) => line.split(delimiter).length;
  const delimiters = Object.keys(delimiterNames) as Delimiter[];
  return delimiters.reduce((best, delimiter) => (countOf(delimiter) > countOf(best) ? delimiter : best));
}

function readHeader(cells: readonly string[], line: number): Header {
  const names = cells
    .slice(0, cells.findLastIndex((cell) => !isEmpty(cell)) + 1)
    .map((cell) => tidyValue(cell).toLowerCase());
  const fail = (reason: string, column: CsvColumn | null = null): never => {
    throw new UnreadableCsv(reason, line, column);
  };
  const missing = required.filter((column) => !names.includes(column));
  if (missing[0]) {
    const which = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`;
    const all = `The first line must name the columns ${required.join(', ')}, with commas, semicolons or tabs between them.`;
    // One unknown column of four is probably a misspelling; if all are unknown, the file has no header.
    fail(missing.length < required.length ? `${all} ${which}` : all, missing[0]);
  }
  const columns = names.map(
    (name) =>
      csvColumns.find((column) => column.toLowerCase() === name) ??
      fail(`"${name.slice(0, 40)}" is no column: those are ${csvColumns.join(', ')}.`),
  );
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice) fail('The first line names this column twice.', twice);
  return { columns, maxCells: cells.length };
}
