/** The names of days, weeks and months, the times to choose from, and the time before one. A day is as `2026-11-21`. */

import { dayOf, textOfDay } from '../../../contract/shop-days.ts';

/** Both days are included. */
type Span = { from: string; to: string };

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, year: 'numeric', timeZone: 'UTC' });
const dayNames = formatter({ weekday: 'short', day: 'numeric', month: 'short' });
const spanNames = formatter({ day: 'numeric', month: 'short' });
const monthNames = formatter({ month: 'long' });

/** @returns such as `16 – 22 Nov 2026`. */
export const spanName = ({ from, to }: Span): string => spanNames.formatRange(new Date(from), new Date(to));

/** @returns the name of a day or a month; of a week, and of a month that is cut, its days. */
export const periodName = (span: Span): string => {
  if (span.from === span.to) return dayNames.format(new Date(span.from));
  const isMonth = span.to === move(monthStart(span.from, 1), -1) && span.from === monthStart(span.from, 0);
  return isMonth ? monthNames.format(new Date(span.from)) : spanName(span);
};

const move = (day: string, days: number): string => textOfDay(dayOf(day) + days);

/** @returns the first day of the month that comes so many months later. */
const monthStart = (day: string, months: number): string => {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString().slice(0, 10);
};

/** 0 is a Monday: the first day of 1970 was a Thursday. */
const weekday = (day: string): number => (dayOf(day) + 3) % 7;

/** @returns the times to choose from, by their names. */
export function timesUntil(today: string): Record<string, Span> {
  const monday = move(today, -weekday(today));
  const month = monthStart(today, 0);
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
 * @returns the time to compare with, directly before: as many days, and from a Monday on as many weeks. What begins with a month is
 * compared with as many months before, and what begins with a year with as many years.
 */
export function timeBefore({ from, to }: Span): Span {
  if (from !== monthStart(from, 0)) {
    const days = dayOf(to) - dayOf(from) + 1;
    const by = weekday(from) === 0 ? Math.ceil(days / 7) * 7 : days;
    return { from: move(from, -by), to: move(to, -by) };
  }
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  const months = years * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1;
  const by = from.endsWith('-01-01') ? (years + 1) * 12 : months;
  const end = move(monthStart(to, 1 - by), -1);
  const sameDay = move(monthStart(to, -by), Number(to.slice(8)) - 1);
  const isWholeMonth = to === move(monthStart(to, 1), -1);
  return { from: monthStart(from, -by), to: isWholeMonth || sameDay > end ? end : sameDay };
}
