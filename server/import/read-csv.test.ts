import { expect, test } from 'vitest';
import { readCsv, UnreadableCsv } from './read-csv.ts';

const header = 'title,author,price,image\n';
const tooLong = expect.stringContaining('The row is longer than a book can be.');

test.each([
  ['a row of a million empty cells', `${header}${','.repeat(1_000_000)}\n`, { line: 2, reason: tooLong }],
  ['a header of a million columns', `${'x,'.repeat(1_000_000)}\n`, { line: 1, reason: tooLong }],
  ['a row of a million empty texts', `${header}${'"",'.repeat(1_000_000)}\n`, { line: 2, reason: tooLong }],
  ['a workbook', `PK\x03\x04${'x'.repeat(1_000_000)}`, { line: 1 }],
])('%s ends the file after little of it', async (_, file, error) => {
  const content = Buffer.from(file);
  let bytes = 0;
  let isClosed = false;
  async function* chunks() {
    try {
      for (; bytes < content.length; bytes += 16_384) yield content.subarray(bytes, bytes + 16_384);
    } finally {
      isClosed = true;
    }
  }

  const end = await Array.fromAsync(readCsv(chunks())).catch((thrown: unknown) => thrown);

  expect(end instanceof UnreadableCsv && end.error).toMatchObject(error);
  expect(bytes).toBeLessThanOrEqual(256 * 1024);
  expect(isClosed).toBe(true);
});
