/** The day of a checkout (spec, section 3), as the browser writes it and the server accepts it. */

import { dayMs } from './shop-days.ts';

let accepted: { day: number; texts: readonly string[] } = { day: Number.NaN, texts: [] };

/** A day such as "Sat Nov 21 2026". One day before or after that of UTC is accepted: it is today in some zone, or by a slightly wrong clock. */
export function isCheckoutDay(text: string, now = Date.now()): boolean {
  const day = Math.floor(now / dayMs);
  if (day !== accepted.day) accepted = { day, texts: [day - 1, day, day + 1].map(formatUtcDay) };
  return accepted.texts.includes(text);
}

function formatUtcDay(day: number): string {
  const [weekday = '', date = '', month = '', year = ''] = new Date(day * dayMs)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return `${weekday} ${month} ${date} ${year}`;
}
