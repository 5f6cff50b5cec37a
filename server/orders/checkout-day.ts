import { dayMs } from '../database/times.ts';

/**
 * @returns true if a text is a day as `Date.prototype.toDateString()` writes it ("Sat Nov 21 2026") that is today in some time
 * zone: at most one day before or after the server's day in UTC. That also tolerates a clock that is somewhat wrong.
 */
export function isCheckoutDay(text: string, now = new Date()): boolean {
  // Parsed and formatted again as UTC, only an existing day with its right weekday gives the same text.
  const day = new Date(`${text} UTC`);
  if (Number.isNaN(day.getTime()) || formatUtcDay(day) !== text) return false;
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return Math.abs(day.getTime() - today) <= dayMs;
}

function formatUtcDay(day: Date): string {
  const [weekday = '', date = '', month = '', year = ''] = day.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${date} ${year}`;
}
