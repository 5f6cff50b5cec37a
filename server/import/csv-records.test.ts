import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, unescapeCell } from '../exports/csv-line.ts';
import { type Delimiter, readRecords, WrongRecord } from './csv-records.ts';

/** Reads a file that arrives in pieces. @returns its records, and the line where it cannot be read any further. */
async function readPieces(file: Buffer, cuts: readonly number[], delimiter: Delimiter = ',') {
  const ends = [...cuts.map((cut) => cut % (file.length + 1)), file.length].toSorted((a, b) => a - b);
  const memory = Buffer.alloc(file.length);
  async function* pieces() {
    let start = 0;
    for (const end of ends) {
      // Each overwrites the one before.
      yield memory.subarray(0, file.copy(memory, 0, start, end));
      memory.fill('?');
      start = end;
    }
  }
  const records: { line: number; cells: string[]; cellCount: number }[] = [];
  try {
    for await (const { cells, ...record } of readRecords(pieces(), delimiter)) {
      records.push({ ...record, cells: cells.map((cell) => cell.toString('latin1')) });
    }
  } catch (error) {
    if (!(error instanceof WrongRecord)) throw error;
    return { records, brokenAt: { line: error.line, reason: error.message } };
  }
  return { records, brokenAt: undefined };
}

const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 6 });
const cell = fc.string({
  unit: fc.constantFrom('a', ' ', "'", '"', ',', ';', '\t', '\r', '\n'),
  maxLength: 5,
});
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 5 }));

test('what was written as CSV is read back, with its lines, however it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(table, cuts, async (rows, at) => {
      const lines = rows.map(csvLine);
      const { records, brokenAt } = await readPieces(Buffer.from(lines.join(''), 'latin1'), at);

      expect(brokenAt).toBeUndefined();
      expect(records.map(({ cells }) => cells.map(unescapeCell))).toEqual(rows);
      const before = (index: number) =>
        lines
          .slice(0, index)
          .join('')
          .split(/\r\n|\n|\r/).length;
      expect(records.map(({ line }) => line)).toEqual(rows.map((_, index) => before(index)));
    }),
  );
});

test('any bytes are read alike, whole or in pieces, and never throw anything else', async () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\r', '\n'), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(letters, cuts, fc.constantFrom(',', ';'), async (text, at, delimiter) => {
      const file = Buffer.from(text, 'latin1');

      expect(await readPieces(file, at, delimiter)).toEqual(await readPieces(file, [], delimiter));
    }),
    { numRuns: 500 },
  );
});
