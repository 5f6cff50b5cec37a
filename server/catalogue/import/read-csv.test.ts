import { expect, test } from 'vitest';
import { readCsv, UnreadableCsv } from './read-csv.ts';

const header = 'title,author,price,image\n';
const kilobyte = 1024;
const fileBytes = 256 * kilobyte;

/** Reads a file, and counts what is read of it in each turn of the event loop. */
async function readInTurns(file: string, chunkBytes: number) {
  const bytes = Buffer.from(file);
  const turns = [{ bytes: 0, rows: 0 }];
  let counting: NodeJS.Immediate;
  const countTurn = () => {
    turns.push({ bytes: 0, rows: 0 });
    counting = setImmediate(countTurn);
  };
  counting = setImmediate(countTurn);
  const current = () => turns.at(-1) ?? { bytes: 0, rows: 0 };
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      const chunk = bytes.subarray(start, start + chunkBytes);
      current().bytes += chunk.length;
      yield chunk;
    }
  }
  let end: unknown;
  try {
    for await (const _ of readCsv(chunks())) current().rows += 1;
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    end = error.error;
  }
  clearImmediate(counting);
  const sum = (name: 'bytes' | 'rows') => turns.reduce((total, turn) => total + turn[name], 0);
  const most = (name: 'bytes' | 'rows') => Math.max(...turns.map((turn) => turn[name]));
  return {
    end,
    turns: turns.length,
    bytes: sum('bytes'),
    rows: sum('rows'),
    mostBytes: most('bytes'),
    mostRows: most('rows'),
  };
}

test.each([
  ['a row of a million empty cells', `${header}${','.repeat(1_000_000)}\n`, 2],
  ['a header of a million columns', `${'x,'.repeat(1_000_000)}\n`, 1],
  ['a row of a million empty texts', `${header}${'"",'.repeat(1_000_000)}\n`, 2],
])('%s ends the file after little of it', async (_, file, line) => {
  const { end, bytes } = await readInTurns(file, 16 * kilobyte);

  const reason = expect.stringContaining('The row is longer than a book can be.');
  expect(end).toEqual({ line, column: null, reason });
  expect(bytes).toBeLessThanOrEqual(256 * kilobyte);
});

test.each([
  ['empty lines', '\n', 0],
  ['rows of one letter', 'x\n', 100],
  ['rows of empty cells', `${','.repeat(60_000)}\n`, 100],
])('other work gets its turn in a file of %s', async (_, row, mostRows) => {
  const rows = row.repeat(fileBytes / row.length);

  const inChunks = await readInTurns(header + rows, 16 * kilobyte);
  const atOnce = await readInTurns(header + rows, 2 * fileBytes);

  expect(inChunks.mostBytes).toBeLessThanOrEqual(64 * kilobyte);
  expect(inChunks.mostRows).toBeLessThanOrEqual(mostRows);
  expect(atOnce.mostRows).toBeLessThanOrEqual(mostRows);
  expect(atOnce.turns).toBeGreaterThanOrEqual(fileBytes / (64 * kilobyte));
});
