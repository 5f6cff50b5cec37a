/** Days in the zone of the shop (TIME_ZONE), counted since 1970, or as `2026-11-21`; times are in milliseconds since 1970. */

export const dayMs = 24 * 60 * 60 * 1000;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  clocks.set(zone, clock);
  return clock;
}

/** The offset at the end of a date, as in `11/21/2026, GMT+05:45`; `GMT` alone is none. */
const offset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** @returns how many milliseconds the clocks of a zone are ahead of UTC. The shop has no times before 1970. */
function aheadAt(time: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const [, sign, ...parts] = offset.exec(clockOf(zone).format(Math.max(0, time))) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part = '0') => Number(part));
  const ahead = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return sign === '-' ? -ahead : ahead;
}

export const dayAt = (time: number, zone: string): number => Math.floor((time + aheadAt(time, zone)) / dayMs);

/** The first moment of a day: midnight, or the next time on the clocks if they skip midnight. */
export function startOfDay(day: number, zone: string): number {
  const midnight = day * dayMs;
  // The clocks may change near midnight, so its time is computed by the offset before and by the one after.
  const before = midnight - aheadAt(midnight - dayMs, zone);
  const after = midnight - aheadAt(midnight + dayMs, zone);
  if (before === after) return before;
  const first = Math.min(before, after);
  return dayAt(first, zone) < day ? Math.max(before, after) : first;
}

export const dayOf = (text: string): number => Math.floor(Date.parse(text) / dayMs);

/** @returns true for a day of the calendar, such as `2026-11-21`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-/.test(text) && !Number.isNaN(dayOf(text)) && textOfDay(dayOf(text)) === text;

export const textOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const todayIn = (zone: string, now = Date.now()): string => textOfDay(dayAt(now, zone));
