/** The names of days, weeks and months, and the heights of their bars. Days are in UTC, as `2026-11-21`. */

export type Period = 'day' | 'week' | 'month';

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const dayNames = formatter({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const plainDays = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const monthNames = formatter({ month: 'long', year: 'numeric' });
const shortDays = formatter({ day: 'numeric', month: 'short' });
const shortMonths = formatter({ month: 'short', year: 'numeric' });

const weekMs = 7 * 24 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

/** @param from the first day. @returns the name of the period, such as `16 – 22 Nov 2026`. */
export const periodName = (from: string, period: Period): string => {
  const start = new Date(from);
  if (period === 'day') return dayNames.format(start);
  if (period === 'month') return monthNames.format(start);
  return plainDays.formatRange(start, new Date(start.getTime() + weekMs - dayMs));
};

/** @returns a shorter name, for the axis of the chart. @param hasYear whether a day has its year too. */
export const shortName = (from: string, period: Period, hasYear: boolean): string =>
  (period === 'month' ? shortMonths : hasYear ? plainDays : shortDays).format(new Date(from));

/** @returns the last day of a period. */
export const lastDayOf = (from: string, period: Period): string => {
  const start = new Date(from);
  const end =
    period === 'month'
      ? Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)
      : start.getTime() + (period === 'week' ? weekMs - dayMs : 0);
  return new Date(end).toISOString().slice(0, 10);
};

/** In powers of ten: tops of which the half is a round number too. */
const axisSteps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** @returns the top of an axis: the lowest of {@link axisSteps} that is not below the value. At least 1. */
export const axisTop = (value: number): number => {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return axisSteps.map((step) => step * power).find((top) => top >= value) ?? value;
};
