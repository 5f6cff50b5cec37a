/** The day of a checkout (spec, section 3), as the browser writes it and the server accepts it. */

import { dayMs } from './shop-days.ts';

/** A day such as "Sat Nov 21 2026". One day before or after that of UTC is accepted: it is today in some zone, or by a slightly wrong clock. */
export const isCheckoutDay = (text: string, now = Date.now()): boolean =>
  [now - dayMs, now, now + dayMs].some((time) => formatUtcDay(time) === text);

function formatUtcDay(time: number): string {
  const [weekday, date, month, year] = new Date(time).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${date} ${year}`;
}
