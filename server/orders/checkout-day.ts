const dayMs = 24 * 60 * 60 * 1000;

/**
 * Whether a text is what `Date.prototype.toDateString()` writes ("Sat Nov 21 2026") for a day that is today somewhere
 * on earth, give or take a clock: at most one day from the server's.
 */
export function isCheckoutDay(text: string, now = new Date()): boolean {
  // Read as UTC, written as UTC: the same text comes back for a real day with its right weekday, and for nothing else.
  const day = new Date(`${text} UTC`);
  if (Number.isNaN(day.getTime()) || writtenInUtc(day) !== text) return false;
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return Math.abs(day.getTime() - today) <= dayMs;
}

function writtenInUtc(day: Date): string {
  const [weekday = '', date = '', month = '', year = ''] = day.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${date} ${year}`;
}
