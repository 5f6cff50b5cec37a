import { expect, test } from 'vitest';
import { createRowHeights, mergeRows, rowsAround } from './row-heights.ts';

const keys = (count: number) => Array.from({ length: count }, (_, row) => `row ${row}`);

const withRows = (count: number, guessPx = 100) => {
  const heights = createRowHeights(guessPx);
  heights.setRows(keys(count));
  return heights;
};

/** The heights of the first rows. */
const measured = (...heightsPx: number[]) => new Map(heightsPx.entries());

test('rows have the guessed height until some are measured, then the mean of those', () => {
  const heights = withRows(10);
  expect(heights.offsetOf(10)).toBe(1_000);

  expect(heights.measure(measured(40, 60))).toBe(true);

  expect([1, 2, 3, 10].map(heights.offsetOf)).toEqual([40, 100, 150, 500]);
  // Later measurements change the rows below them only, and not what is assumed of others.
  expect(heights.measure(new Map([[4, 80]]))).toBe(false);
  expect([4, 5, 6].map(heights.offsetOf)).toEqual([200, 280, 330]);
});

test('a row keeps its height when rows are removed above it, or added below', () => {
  const heights = withRows(4);
  heights.measure(measured(10, 10, 70));

  heights.setRows(['row 1', 'row 2', 'row 3', 'row 4']);

  expect([1, 2, 3, 4].map(heights.offsetOf)).toEqual([10, 80, 110, 140]);
});

test('nothing is known of the heights in another layout', () => {
  const heights = withRows(4);
  heights.measure(new Map([[0, 10]]));
  heights.clear();

  expect(heights.measure(new Map([[3, 30]]))).toBe(true);

  expect(heights.offsetOf(4)).toBe(120);
});

test('the rows between two distances are those that are partly there, and at the ends the nearest', () => {
  const heights = withRows(10);
  heights.measure(new Map([[0, 100]]));

  expect(heights.rowsBetween(150, 350)).toEqual({ start: 1, end: 4 });
  expect(heights.rowsBetween(-500, 50)).toEqual({ start: 0, end: 1 });
  expect(heights.rowsBetween(5_000, 6_000)).toEqual({ start: 9, end: 10 });
  expect(withRows(0).rowsBetween(0, 100)).toEqual({ start: 0, end: 0 });
});

test('a window of rows has those in view in its middle, and stays in the list at its ends', () => {
  expect(rowsAround({ start: 50, end: 52 }, 10, 100)).toEqual({ start: 46, end: 56 });
  expect(rowsAround({ start: 0, end: 2 }, 10, 100)).toEqual({ start: 0, end: 10 });
  expect(rowsAround({ start: 98, end: 100 }, 10, 100)).toEqual({ start: 90, end: 100 });
  expect(rowsAround({ start: 0, end: 2 }, 10, 5)).toEqual({ start: 0, end: 5 });
});

test('rows that meet are rendered as one part, each once', () => {
  const parts = (...edges: [start: number, end: number][]) => edges.map(([start, end]) => ({ start, end }));

  expect(mergeRows(parts([20, 30], [2, 5], [5, 7], [25, 26], [9, 9]))).toEqual(parts([2, 7], [20, 30]));
});
