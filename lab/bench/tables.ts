/** Figures and tables in Markdown. */

import type { Outcome, Row, Target } from './bench.ts';
import { median } from './figures.ts';
import { grouped } from './progress.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const valuesOf = ({ outcomes }: Row, name: keyof Outcome): number[] =>
  outcomes.map((outcome) => outcome[name]);

/** @returns the median of the rounds. */
export const medianOf = (row: Row, name: keyof Outcome): string => figure(median(valuesOf(row, name)));

/** @returns the median of the responses a second, with the lowest and the highest. */
export const rateOf = (row: Row): string =>
  `${medianOf(row, 'perSecond')}${spread(valuesOf(row, 'perSecond'))}`;

/** @returns a table of rows that were measured under load. */
export const loadTable = (rows: readonly Row[]): string =>
  table(
    ['', 'responses/s', 'p50, ms', 'p99, ms', 'processor time, µs'],
    rows.map((row) => [
      row.name,
      rateOf(row),
      medianOf(row, 'p50Ms'),
      medianOf(row, 'p99Ms'),
      figure(1000 * median(valuesOf(row, 'serverMs'))),
    ]),
  );

const isMet = ({ values, min = 0, max = Number.POSITIVE_INFINITY }: Target): boolean =>
  median(values) >= min && median(values) <= max;

/** @returns a sentence about all targets, and their table; nothing without a target. */
export function verdict(targets: readonly Target[]): string[] {
  const missed = targets.filter((target) => !isMet(target)).length;
  const rows = targets.map((target) => {
    const { name, values, min, max, unit = '×' } = target;
    return [
      name,
      `${figure(median(values))} ${unit}${spread(values)}`,
      min === undefined ? `≤ ${max} ${unit}` : `≥ ${min} ${unit}`,
      isMet(target) ? 'met' : '**missed**',
    ];
  });
  if (rows.length === 0) return [];
  const sentence = `Targets missed: ${missed} of ${rows.length}.`;
  return [sentence, table(['', 'measured', 'target', ''], rows)];
}

/** @returns three significant digits; from 100 on, the whole number, and below 1 two decimals. */
function figure(value: number): string {
  if (value >= 100) return grouped(Math.round(value));
  return value < 1 ? value.toFixed(2) : value.toPrecision(3);
}

/** @returns the lowest and the highest of several values, in brackets. */
const spread = (values: readonly number[]): string =>
  values.length > 1 ? ` (${figure(Math.min(...values))}–${figure(Math.max(...values))})` : '';
