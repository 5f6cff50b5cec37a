/** Splits the bytes of a CSV file (RFC 4180) into records, in turns of the event loop. */

import { bytesPerTurn, rowsPerTurn, takeTurn } from '../database/row-turns.ts';

/** Between the cells. A spreadsheet writes semicolons where a comma is the decimal point. */
export type Delimiter = ',' | ';' | '\t';

type CsvRecord = {
  /** The line on which it begins, from 1. */
  line: number;
  /** Their bytes, until the next record is read. A record that has more cells than the first one has here as many as that. */
  cells: Buffer[];
  cellCount: number;
  /** The cells that are not here have nothing in them. */
  isRestEmpty: boolean;
};

/** From this line on, the file cannot be read. */
export class WrongRecord extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** A row of the longest texts, with each letter of four bytes, is shorter. A quote that nothing closes ends here. */
export const maxRowBytes = 64 * 1024;

const [quote, lf, cr] = [0x22, 0x0a, 0x0d];

/** The part of a file that was read and is not split yet. */
type Unsplit = {
  /** At the beginning of `memory`, which all parts of the file use in turn: new memory for each would be collected with long pauses. */
  bytes: Buffer;
  readonly memory: Buffer;
  /** The beginning of the next record, in bytes and in lines. */
  at: number;
  line: number;
  /** The file ends after the bytes. */
  isEnd: boolean;
};

/**
 * Reads the records of a file. Empty lines are left out.
 * @throws {WrongRecord} after the records that come before it.
 */
export async function* readRecords(
  source: AsyncIterable<Buffer>,
  delimiter: Delimiter,
): AsyncGenerator<CsvRecord> {
  const memory = Buffer.allocUnsafe(maxRowBytes + bytesPerTurn);
  const file: Unsplit = { bytes: memory.subarray(0, 0), memory, at: 0, line: 1, isEnd: false };
  let columns: number | undefined;
  for await (const piece of piecesOf(source)) {
    append(file, piece);
    for (let count = 1; ; count += 1) {
      skipEmptyLines(file);
      const { at: start, line } = file;
      const record = readRecord(file, delimiter.charCodeAt(0), columns);
      if ((record ? file.at : file.bytes.length) - start > maxRowBytes) {
        throw new WrongRecord(line, 'The row is longer than a book can be. Perhaps a quote is not closed.');
      }
      if (!record) break;
      columns ??= record.cells.some(({ length }) => length > 0) ? record.cellCount : undefined;
      yield record;
      if (count % rowsPerTurn === 0) await takeTurn();
    }
    await takeTurn();
  }
}

/** @returns a source in pieces for one turn each, and an empty one at its end. */
async function* piecesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += bytesPerTurn) {
      yield chunk.subarray(start, start + bytesPerTurn);
    }
  }
  yield Buffer.alloc(0);
}

/** Adds the next piece of the file; an empty one is its end. */
function append(file: Unsplit, piece: Buffer): void {
  const { memory, bytes, at } = file;
  const kept = bytes.copy(memory, 0, at);
  file.bytes = memory.subarray(0, kept + piece.copy(memory, kept));
  file.at = 0;
  file.isEnd = piece.length === 0;
}

function skipEmptyLines(file: Unsplit): void {
  for (;;) {
    const end = lineBreakAt(file, file.at);
    if (end === file.at) return;
    file.at = end;
    file.line += 1;
  }
}

/**
 * @returns the end of the line break at a place, which is CR, LF, or both together; the place itself where there is none, or where the
 * second half may follow.
 */
function lineBreakAt({ bytes, isEnd }: Unsplit, at: number): number {
  if (bytes[at] === lf) return at + 1;
  if (bytes[at] !== cr || (at + 1 === bytes.length && !isEnd)) return at;
  return bytes[at + 1] === lf ? at + 2 : at + 1;
}

const quoteWithin =
  'A quote is in the middle of a cell. Put the whole cell in quotes, and write the quote twice.';

/** @returns the next record, and moves behind it; undefined when its end is not read yet. */
function readRecord(
  file: Unsplit,
  delimiter: number,
  maxCells = Number.POSITIVE_INFINITY,
): CsvRecord | undefined {
  const { bytes, line, isEnd } = file;
  const fail = (reason: string): never => {
    throw new WrongRecord(line, reason);
  };
  const cells: Buffer[] = [];
  let cellCount = 0;
  let isRestEmpty = true;
  let breaks = 0;
  let at = file.at;
  if (at === bytes.length) return undefined;
  for (;;) {
    const isQuoted = bytes[at] === quote;
    let hasQuotes = false;
    if (isQuoted) at += 1;
    const start = at;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === quote) {
        if (!isQuoted) fail(quoteWithin);
        if (bytes[at + 1] !== quote) break;
        hasQuotes = true;
        at += 1;
      } else if (!isQuoted) {
        if (byte === delimiter || byte === lf || byte === cr) break;
      } else if (byte === lf || (byte === cr && bytes[at + 1] !== lf)) breaks += 1;
    }
    const end = at;
    if (isQuoted) {
      if (at === bytes.length) return isEnd ? fail('A quote is opened and not closed.') : undefined;
      at += 1;
    }
    if (cellCount < maxCells) {
      const cell = bytes.subarray(start, end);
      cells.push(hasQuotes ? withoutDoubledQuotes(cell) : cell);
    } else if (end > start) isRestEmpty = false;
    cellCount += 1;
    if (bytes[at] === delimiter) {
      at += 1;
      continue;
    }
    const next = lineBreakAt(file, at);
    if (next > at || (isEnd && at === bytes.length)) {
      file.at = next;
      file.line += breaks + (next > at ? 1 : 0);
      return { line, cells, cellCount, isRestEmpty };
    }
    if (bytes[at] !== undefined && bytes[at] !== cr) {
      fail('Text follows a closing quote. Write a quote within quotes twice.');
    }
    return undefined;
  }
}

function withoutDoubledQuotes(cell: Buffer): Buffer {
  return Buffer.from(cell.toString('latin1').replaceAll('""', '"'), 'latin1');
}
