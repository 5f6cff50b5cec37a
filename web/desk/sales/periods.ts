/** The names of days, weeks and months, the times to choose from, and the heights of bars. A day is as `2026-11-21`. */

import { dayOf, textOfDay } from '../../../contract/shop-days.ts';

export type Period = 'day' | 'week' | 'month';
/** Both days are included. */
type Span = { from: string; to: string };

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const dayNames = formatter({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const plainDays = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const monthNames = formatter({ month: 'long', year: 'numeric' });
const shortDays = formatter({ day: 'numeric', month: 'short' });
const shortMonths = formatter({ month: 'short', year: 'numeric' });

/** @returns such as `16 – 22 Nov 2026`. */
export const spanName = ({ from, to }: Span): string => plainDays.formatRange(new Date(from), new Date(to));

/** @returns the name of a period; of a week or month that is cut, its days. */
export const periodName = (span: Span, period: Period): string => {
  if (period === 'day') return dayNames.format(new Date(span.from));
  return period === 'month' && isFirstOfMonth(span.from) && isLastOfMonth(span.to)
    ? monthNames.format(new Date(span.from))
    : spanName(span);
};

/** @returns a shorter name, for the axis of the chart. @param hasYear whether a day has its year too. */
export const shortName = (from: string, period: Period, hasYear: boolean): string =>
  (period === 'month' ? shortMonths : hasYear ? plainDays : shortDays).format(new Date(from));

const move = (day: string, days: number): string => textOfDay(dayOf(day) + days);
const isFirstOfMonth = (day: string): boolean => day.endsWith('-01');
const isLastOfMonth = (day: string): boolean => isFirstOfMonth(move(day, 1));

/** @returns the first day of the month that comes so many months later. */
const monthStart = (day: string, months: number): string => {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString().slice(0, 10);
};

/** The first day of 1970 was a Thursday. */
const weekday = (day: string): number => (dayOf(day) + 3) % 7;

/** @returns the times to choose from, by their names. */
export function timesUntil(today: string): Record<string, Span> {
  const monday = move(today, -weekday(today));
  const first = monthStart(today, 0);
  const lastMonth = { from: monthStart(today, -1), to: move(first, -1) };
  const year = today.slice(0, 4);
  const lastYear = String(Number(year) - 1);
  return {
    'This week': { from: monday, to: today },
    'Last week': { from: move(monday, -7), to: move(monday, -1) },
    'This month': { from: first, to: today },
    'Last month': lastMonth,
    'This year': { from: `${year}-01-01`, to: today },
    'Last year': { from: `${lastYear}-01-01`, to: `${lastYear}-12-31` },
  };
}

/**
 * @param today whose month or week is not over.
 * @returns the time to compare with, directly before. By week it is as many weeks before, so that it has as many days and bars. Otherwise,
 * for a time that begins with a month and ends with one or today, it is as many months before, or a year before if it begins with one.
 * By day that is for a month and a part of a year alone: several months have other numbers of days than those before. Any other time is
 * compared with as many days before, and from a Monday on with as many weeks.
 */
export function timeBefore({ from, to }: Span, period: Period, today: string): Span {
  const months = monthsBetween(from, to) + 1;
  const isOfYear = from.endsWith('-01-01');
  const isOfMonths = isFirstOfMonth(from) && (isLastOfMonth(to) || to === today);
  if (isOfMonths && (period === 'month' || (period === 'day' && (months === 1 || isOfYear)))) {
    // A part of a year with the same part of the year before.
    return monthsEarlier({ from, to }, isOfYear ? Math.ceil(months / 12) * 12 : months);
  }
  const days = dayOf(to) - dayOf(from) + 1;
  const by = period === 'week' || weekday(from) === 0 ? Math.ceil(days / 7) * 7 : days;
  return { from: move(from, -by), to: move(to, -by) };
}

function monthsEarlier({ from, to }: Span, months: number): Span {
  const end = move(monthStart(to, 1 - months), -1);
  const sameDay = move(monthStart(to, -months), Number(to.slice(8)) - 1);
  return { from: monthStart(from, -months), to: isLastOfMonth(to) || sameDay > end ? end : sameDay };
}

const monthsBetween = (from: string, to: string): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
  Number(to.slice(5, 7)) -
  Number(from.slice(5, 7));

/** Tops of an axis, in powers of ten. The half of each is a round number too. */
const axisSteps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** @returns the top of an axis: the lowest of {@link axisSteps} that is not below the value. At least 1. */
export const axisTop = (value: number): number => {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return axisSteps.map((step) => step * power).find((top) => top >= value) ?? value;
};
