import { expect, test } from 'vitest';
import { axisTop, type Period, periodName, shortName, timeBefore, timesUntil } from './periods.ts';

test.each<[string, string, Period, string, string]>([
  ['2026-11-21', '2026-11-21', 'day', 'Sat, 21 Nov 2026', '21 Nov'],
  ['2026-11-16', '2026-11-22', 'week', '16 – 22 Nov 2026', '16 Nov'],
  ['2026-10-01', '2026-10-04', 'week', '1 – 4 Oct 2026', '1 Oct'],
  ['2026-12-28', '2027-01-03', 'week', '28 Dec 2026 – 3 Jan 2027', '28 Dec'],
  ['2028-02-01', '2028-02-29', 'month', 'February 2028', 'Feb 2028'],
  ['2028-02-01', '2028-02-12', 'month', '1 – 12 Feb 2028', 'Feb 2028'],
])('%s to %s is the %s %s, in short %s', (from, to, period, name, short) => {
  // The formatter has thin spaces around a dash.
  const fullName = periodName({ from, to }, period).replaceAll('\u2009', ' ');

  expect([fullName, shortName(from, period, false)]).toEqual([name, short]);
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
  expect(timeBefore({ from, to }, 'day', today)).toEqual({ from: beforeFrom, to: beforeTo });
});

test.each<[Period, string, string, string, string]>([
  ['day', '2026-10-25', '2026-11-23', '2026-09-25', '2026-10-24'],
  ['day', '2026-10-05', '2026-11-23', '2026-08-10', '2026-09-28'],
  ['day', '2026-10-01', '2026-11-23', '2026-08-08', '2026-09-30'],
  ['week', '2026-06-01', '2026-11-23', '2025-12-01', '2026-05-25'],
  ['week', '2026-11-01', '2026-11-23', '2026-10-04', '2026-10-26'],
  ['month', '2026-06-01', '2026-11-23', '2025-12-01', '2026-05-23'],
])('by %s, %s to %s is compared with %s to %s', (period, from, to, beforeFrom, beforeTo) => {
  expect(timeBefore({ from, to }, period, '2026-11-23')).toEqual({ from: beforeFrom, to: beforeTo });
});

test('a period of several years names its year in short, and an axis ends at a round number', () => {
  const periods = ['day', 'week', 'month'] as const;
  expect(periods.map((period) => shortName('2026-11-21', period, true))).toEqual([
    ...['21 Nov 2026', '21 Nov 2026', 'Nov 2026'],
  ]);
  expect([0, 0.05, 1, 12, 118, 50, 51, 123_456].map(axisTop)).toEqual([1, 1, 1, 12, 120, 50, 60, 150_000]);
});
