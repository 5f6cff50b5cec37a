/** Figures and tables in Markdown. */

import type { Row, Target } from './bench.ts';
import { p50s, p99s, rates } from './bench.ts';
import { median } from './figures.ts';
import { grouped } from './progress.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** @param unit the name of a counted response. @returns a table of rows that were measured under load. */
export const loadTable = (rows: readonly Row[], unit = 'response'): string =>
  table(
    ['', `${unit}s/s`, 'p50', 'p99', `processor time of the server per ${unit}`, 'cores of the load'],
    rows.map((row) => [
      row.name,
      `${wholeMedian(rates(row))}${spread(rates(row))}`,
      milliseconds(p50s(row)),
      milliseconds(p99s(row)),
      serverTime(row),
      cell(
        row.outcomes.map(({ loadCores = Number.NaN }) => loadCores),
        (cores) => cores.toFixed(2),
      ),
    ]),
  );

/** @returns the processor time of the server for a response. */
export const serverTime = ({ outcomes }: Row): string =>
  cell(
    outcomes.map(({ serverMs = Number.NaN }) => 1000 * serverMs),
    (microseconds) => `${figure(microseconds)} µs`,
  );

export const targetTable = (targets: readonly Target[]): string =>
  table(
    ['', 'measured', 'target', ''],
    targets.map(({ name, values, min, max, unit = '×' }) => {
      const value = median(values);
      const target =
        min !== undefined ? `≥ ${min} ${unit}` : max !== undefined ? `≤ ${grouped(max)} ${unit}` : '';
      const isMet = (min === undefined || value >= min) && (max === undefined || value <= max);
      return [
        name,
        `**${figure(value)} ${unit}**${spread(values)}`,
        target,
        target && (isMet ? 'met' : 'not met'),
      ];
    }),
  );

/** @returns three significant digits; from 100 on, the whole number. */
export const figure = (value: number): string =>
  value >= 100 ? grouped(Math.round(value)) : value.toPrecision(3).replace(/^(0\.\d\d)\d$/, '$1');

export const wholeMedian = (values: readonly number[]): string => grouped(Math.round(median(values)));

/** @returns the median; empty where it was not measured. */
function cell(values: readonly number[], write: (value: number) => string): string {
  const value = median(values);
  return Number.isNaN(value) ? '' : write(value);
}

export const milliseconds = (values: readonly number[]): string => cell(values, (ms) => `${figure(ms)} ms`);

/** @returns the lowest and the highest of several values, in brackets. */
export const spread = (values: readonly number[]): string =>
  values.length > 1 ? ` (${figure(Math.min(...values))}–${figure(Math.max(...values))})` : '';
