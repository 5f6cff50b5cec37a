import { expect, test } from 'vitest';
import { axisTop, lastDayOf, type Period, periodName, shortName } from './periods.ts';

test.each<[string, Period, string, string, string]>([
  ['2026-11-21', 'day', 'Sat, 21 Nov 2026', '21 Nov', '2026-11-21'],
  ['2026-11-16', 'week', '16 – 22 Nov 2026', '16 Nov', '2026-11-22'],
  ['2026-12-28', 'week', '28 Dec 2026 – 3 Jan 2027', '28 Dec', '2027-01-03'],
  ['2028-02-01', 'month', 'February 2028', 'Feb 2028', '2028-02-29'],
])(
  '%s is the beginning of the %s %s, in short %s, whose last day is %s',
  (from, period, name, short, last) => {
    // The formatter has thin spaces around a dash.
    const fullName = periodName(from, period).replaceAll('\u2009', ' ');

    expect([fullName, shortName(from, period, false), lastDayOf(from, period)]).toEqual([name, short, last]);
  },
);

test.each<[Period, string]>([
  ['day', '21 Nov 2026'],
  ['week', '21 Nov 2026'],
  ['month', 'Nov 2026'],
])('a %s of several years is %s in short', (period, name) => {
  expect(shortName('2026-11-21', period, true)).toBe(name);
});

test.each([
  [0, 1],
  [0.05, 1],
  [1, 1],
  [12, 12],
  [118, 120],
  [50, 50],
  [51, 60],
  [123_456, 150_000],
])('an axis for %d ends at %d', (value, top) => {
  expect(axisTop(value)).toBe(top);
});
