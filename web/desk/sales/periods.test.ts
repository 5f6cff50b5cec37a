import { expect, test } from 'vitest';
import { periodName, timeBefore, timesUntil } from './periods.ts';

test.each([
  ['2026-11-21', '2026-11-21', 'Sat, 21 Nov 2026'],
  ['2026-11-16', '2026-11-22', '16 – 22 Nov 2026'],
  ['2026-12-28', '2027-01-03', '28 Dec 2026 – 3 Jan 2027'],
  ['2028-02-01', '2028-02-29', 'February 2028'],
  ['2028-02-01', '2028-02-12', '1 – 12 Feb 2028'],
])('%s to %s is %s', (from, to, name) => {
  // The formatter puts thin spaces around a dash.
  expect(periodName({ from, to }).replaceAll('\u2009', ' ')).toBe(name);
});

test.each([
  ['2026-11-23', 'This week', '2026-11-23', '2026-11-23', '2026-11-16', '2026-11-16'],
  ['2026-11-22', 'This week', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
  ['2026-11-23', 'Last week', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
  ['2026-03-31', 'This month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['2026-03-30', 'This month', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['2026-03-12', 'This month', '2026-03-01', '2026-03-12', '2026-02-01', '2026-02-12'],
  ['2026-01-12', 'Last month', '2025-12-01', '2025-12-31', '2025-11-01', '2025-11-30'],
  ['2026-11-23', 'This year', '2026-01-01', '2026-11-23', '2025-01-01', '2025-11-23'],
  ['2026-11-23', 'Last year', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
])('on %s, %s is %s to %s, and is compared with %s to %s', (today, name, from, to, beforeFrom, beforeTo) => {
  const span = timesUntil(today)[name];

  expect(span).toEqual({ from, to });
  expect(timeBefore({ from, to })).toEqual({ from: beforeFrom, to: beforeTo });
});

test.each([
  ['2026-10-25', '2026-11-23', '2026-09-25', '2026-10-24'],
  ['2026-10-05', '2026-11-23', '2026-08-10', '2026-09-28'],
  ['2026-06-01', '2026-11-23', '2025-12-01', '2026-05-23'],
])('%s to %s is compared with %s to %s', (from, to, beforeFrom, beforeTo) => {
  expect(timeBefore({ from, to })).toEqual({ from: beforeFrom, to: beforeTo });
});
