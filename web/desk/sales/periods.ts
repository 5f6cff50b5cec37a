/** The names of days, weeks and months, the periods to choose from, and the period before another. A day is a text such as `2026-11-21`. */

import { dayOf, textOfDay } from '../../../contract/shop-days.ts';

/** The first and the last day, both included. */
type Span = { from: string; to: string };

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, year: 'numeric', timeZone: 'UTC' });
const dayNames = formatter({ weekday: 'short', day: 'numeric', month: 'short' });
const spanNames = formatter({ day: 'numeric', month: 'short' });
const monthNames = formatter({ month: 'long' });

/** @returns a period such as `16 – 22 Nov 2026`. */
export const spanName = ({ from, to }: Span): string => spanNames.formatRange(new Date(from), new Date(to));

/** @returns the name of a day or a month. A week, and a part of a month, is named by its first and last days. */
export const periodName = (span: Span): string => {
  if (span.from === span.to) return dayNames.format(new Date(span.from));
  const isMonth = span.from === monthStart(span.from) && move(span.to, 1) === monthStart(span.from, 1);
  return isMonth ? monthNames.format(new Date(span.from)) : spanName(span);
};

const move = (day: string, days: number): string => textOfDay(dayOf(day) + days);

/** @returns the same day so many months later; if that month has no such day, the first of the month after it. */
const moveMonths = (day: string, months: number): string => {
  const [year = 0, month = 0, date] = day.split('-').map(Number);
  const [same, next] = [Date.UTC(year, month - 1 + months, date), Date.UTC(year, month + months)];
  return new Date(Math.min(same, next)).toISOString().slice(0, 10);
};

/** @returns the first day of the month that comes so many months later. */
const monthStart = (day: string, months = 0): string => moveMonths(`${day.slice(0, 7)}-01`, months);

/** The number of the weekday, 0 for a Monday: the first day of 1970 was a Thursday. */
const weekday = (day: string): number => (dayOf(day) + 3) % 7;

/** @returns the periods to choose from, by their names. */
export function timesUntil(today: string): Record<string, Span> {
  const monday = move(today, -weekday(today));
  const month = monthStart(today);
  const year = Number(today.slice(0, 4));
  return {
    'This week': { from: monday, to: today },
    'Last week': { from: move(monday, -7), to: move(monday, -1) },
    'This month': { from: month, to: today },
    'Last month': { from: monthStart(today, -1), to: move(month, -1) },
    'This year': { from: `${year}-01-01`, to: today },
    'Last year': { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
  };
}

/**
 * @returns the period to compare with, directly before: of as many days, or of whole weeks if it starts on a Monday. A period that begins
 * with a month is compared with as many months, one that begins with a year with as many years.
 */
export function timeBefore({ from, to }: Span): Span {
  const end = move(to, 1);
  if (from !== monthStart(from)) {
    const days = dayOf(end) - dayOf(from);
    const by = weekday(from) === 0 ? Math.ceil(days / 7) * 7 : days;
    return { from: move(from, -by), to: move(to, -by) };
  }
  const months = monthOf(to) - monthOf(from) + 1;
  const by = from.endsWith('-01-01') ? Math.ceil(months / 12) * 12 : months;
  return { from: moveMonths(from, -by), to: move(moveMonths(end, -by), -1) };
}

/** The number of a month, from the year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
