import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidyText } from '../../contract/pasted-text.ts';
import { csvLine } from '../exports/csv-line.ts';
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

test('what was written as CSV is read back, with its lines, however it arrives', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', ' ', "'", '"', ',', ';', '\t', '\r', '\n'),
    maxLength: 5,
  });
  // The title is not empty, because a row of empty cells is skipped.
  const row = fc.tuple(
    cell.map((text) => `a${text}`),
    cell,
    cell,
    cell,
  );
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), cuts, async (rows, cuts) => {
      const lines = [header.trim().split(','), ...rows].map(csvLine);
      const file = Buffer.from(lines.join(''));
      const ends = [...cuts.map((cut) => cut % (file.length + 1)), file.length].toSorted((a, b) => a - b);
      async function* pieces() {
        for (const [index, end] of ends.entries()) yield file.subarray(ends[index - 1] ?? 0, end);
      }

      const read = await Array.fromAsync(readCsv(pieces()));

      const lineOf = (index: number) =>
        lines
          .slice(0, index + 1)
          .join('')
          .split(/\r\n|\n|\r/).length;
      expect(read).toEqual(
        rows.map(([title, author, price, image], index) => ({
          line: lineOf(index),
          cells: {
            title: tidyText(title),
            author: tidyText(author),
            price: tidyText(price),
            image: tidyText(image),
          },
        })),
      );
    }),
  );
});
