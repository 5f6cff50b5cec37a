import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, unescapeCell } from './csv-line.ts';

/** A letter, and each character that a spreadsheet or the escape may take for something else. */
const letters = [
  ...[';', '\t', '\n', '\r', "'", '"', ' ', '\u00a0', '=', '+', '-', '@', '＝', '＋', '－', '＠', 'x'],
];
const texts = fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });

/** @returns the cell of a line that has one. */
const cellOf = (line: string): string => {
  const cell = line.slice(0, -2);
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
};

test('no part of a cell begins like a formula, whatever is between the cells for a spreadsheet', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const part of cellOf(csvLine([text])).split(/[;\t\r\n]/)) {
        expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('a cell is read back as it was, also one that looks escaped', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(unescapeCell(cellOf(csvLine([text])))).toBe(text);
    }),
    { numRuns: 5_000 },
  );
});
