/** Figures and tables in Markdown. */

import type { Outcome, Row, Target } from './bench.ts';
import { median } from './figures.ts';
import { grouped } from './progress.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** @returns a table of rows that were measured under load. */
export const loadTable = (rows: readonly Row[]): string =>
  table(
    ['', 'responses/s', 'p50', 'p99', 'processor time of the server'],
    rows.map(({ name, outcomes }) => {
      const all = (name: keyof Outcome) => outcomes.map((outcome) => outcome[name]);
      const us = all('serverMs').map((ms) => 1000 * ms);
      return [
        name,
        `${figure(median(all('perSecond')))}${spread(all('perSecond'))}`,
        `${figure(median(all('p50Ms')))} ms`,
        `${figure(median(all('p99Ms')))} ms`,
        `${figure(median(us))} µs`,
      ];
    }),
  );

export const targetTable = (targets: readonly Target[]): string =>
  table(
    ['', 'measured', 'target', ''],
    targets.map(({ name, values, min = 0, max = Number.POSITIVE_INFINITY, unit = '×' }) => {
      const value = median(values);
      return [
        name,
        `**${figure(value)} ${unit}**${spread(values)}`,
        min > 0 ? `≥ ${min} ${unit}` : `≤ ${max} ${unit}`,
        value >= min && value <= max ? 'met' : 'not met',
      ];
    }),
  );

/** @returns three significant digits; from 100 on, the whole number. */
const figure = (value: number): string =>
  value >= 100 ? grouped(Math.round(value)) : value.toPrecision(3).replace(/^(0\.\d\d)\d$/, '$1');

/** @returns the lowest and the highest of several values, in brackets. */
const spread = (values: readonly number[]): string =>
  values.length > 1 ? ` (${figure(Math.min(...values))}–${figure(Math.max(...values))})` : '';
