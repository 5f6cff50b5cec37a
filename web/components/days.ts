/** Days and times in the zone of the browser, as the screens of a customer say them. */

import { storeNow } from '../api/store-clock.ts';

const shortDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
/** A day such as `22 Nov 2026`. */
export const longDays = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
/** A time such as `22 Nov 2026, 14:05`. */
export const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** @returns a day such as `22 Nov`; with the year, such as `22 Nov 2025`, if it is not in this year. */
export const dayText = (date: Date, now = new Date(storeNow())): string =>
  (date.getFullYear() === now.getFullYear() ? shortDays : longDays).format(date);

/** @returns the day in UTC, in which the days to withdraw are counted. */
export const utcDayText = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
