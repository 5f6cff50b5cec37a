import { expect, test } from 'vitest';
import { countTurns } from '../testing/count-turns.ts';
import { readCsv, UnreadableCsv } from './read-csv.ts';

const header = 'title,author,price,image\n';
const kilobyte = 1024;
const fileBytes = 256 * kilobyte;

/** Reads a file, and counts the bytes and the rows that are read of it in each turn of the event loop. */
async function readInTurns(file: string, chunkBytes: number) {
  const content = Buffer.from(file);
  const [bytes, rows] = [countTurns(), countTurns()];
  async function* chunks() {
    for (let start = 0; start < content.length; start += chunkBytes) {
      const chunk = content.subarray(start, start + chunkBytes);
      bytes.add(chunk.length);
      yield chunk;
    }
  }
  let end: unknown;
  try {
    for await (const _ of readCsv(chunks())) rows.add(1);
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    end = error.error;
  }
  return { end, bytes: bytes.stop(), rows: rows.stop() };
}

test.each([
  ['a row of a million empty cells', `${header}${','.repeat(1_000_000)}\n`, 2],
  ['a header of a million columns', `${'x,'.repeat(1_000_000)}\n`, 1],
  ['a row of a million empty texts', `${header}${'"",'.repeat(1_000_000)}\n`, 2],
])('%s ends the file after little of it', async (_, file, line) => {
  const { end, bytes } = await readInTurns(file, 16 * kilobyte);

  const reason = expect.stringContaining('The row is longer than a book can be.');
  expect(end).toEqual({ line, column: null, reason });
  expect(bytes.sum).toBeLessThanOrEqual(256 * kilobyte);
});

test.each([
  ['empty lines', '\n', 0],
  ['rows of one letter', 'x\n', 50],
  ['rows of empty cells', `${','.repeat(60_000)}\n`, 50],
])('other work gets its turn in a file of %s', async (_, row, mostRows) => {
  const rows = row.repeat(fileBytes / row.length);

  const inChunks = await readInTurns(header + rows, 16 * kilobyte);
  const atOnce = await readInTurns(header + rows, 2 * fileBytes);

  expect(inChunks.bytes.most).toBeLessThanOrEqual(16 * kilobyte);
  expect(inChunks.rows.most).toBeLessThanOrEqual(mostRows);
  expect(atOnce.rows.most).toBeLessThanOrEqual(mostRows);
  expect(atOnce.rows.turns).toBeGreaterThanOrEqual(fileBytes / (16 * kilobyte));
});

test.each([
  ['that is read no further than its first row', `${header}Emma,Jane Austen,12.99,emma.webp\n`],
  ['that is an Excel workbook', 'PK\x03\x04'],
  ['without the columns of books', 'x\n'],
])('the source of a file %s is closed', async (_, start) => {
  let isClosed = false;
  async function* source() {
    try {
      yield Buffer.from(start);
      yield Buffer.from('Emma,Jane Austen,12.99,emma.webp\n');
    } finally {
      isClosed = true;
    }
  }
  const rows = readCsv(source());

  await rows.next().catch(() => {});
  await rows.return(undefined);

  expect(isClosed).toBe(true);
});

const emma = { title: 'Emma', author: 'Jane Austen', price: '12.99', image: 'emma.webp' };

/** @returns the rows of a file with CRLF between its lines, and their mistakes. */
async function readRows(...lines: string[]) {
  async function* source() {
    yield Buffer.from(lines.join('\r\n'));
  }
  return await Array.fromAsync(readCsv(source()));
}

test('empty cells after the names of the columns are no columns, nor are those below them', async () => {
  const row = 'Emma,Jane Austen,12.99,emma.webp';

  const rows = await readRows('title,author,price,image,"", ', `${row},,`, row, `${row},x,`, `${row},,,`);

  expect(rows).toMatchObject([
    { line: 2, cells: emma },
    { line: 3, cells: emma },
    { error: { line: 4, reason: expect.stringContaining('Has 6 cells, and the first line has 4.') } },
    { error: { line: 5, reason: expect.stringContaining('Has 7 cells, and the first line has 4.') } },
  ]);
});

test.each(['sep=;', '\ufeffSEP=;'])('a first line %j says what is between the cells', async (first) => {
  const row = 'Emma;Jane Austen;12,99;emma.webp';

  const rows = await readRows(first, 'title;author;price;image', row);

  expect(rows).toEqual([{ line: 3, cells: { ...emma, price: '12,99' }, hasDecimalComma: true }]);
});
