/** The options `--since` and `--until` of a command. */

import { dayText } from '../server/database/times.ts';
import { type DayRange, type TimeRange, timesOf } from '../server/http/day-range.ts';
import { Problem } from '../server/http/problems.ts';
import { readTimeZone } from '../server/settings/settings.ts';
import type { Io } from './command.ts';
import { UsageError } from './usage-error.ts';
import { databaseSettings } from './with-database.ts';

/** Undefined: the option was not given. */
type GivenDays = { since: Date | undefined; until: Date | undefined };

/** The names of the options, by the names of the fields in the API, which a problem has. */
const optionNames: Readonly<Record<string, string>> = { from: '--since', to: '--until' };

/**
 * Reads something of a range of days, in the time zone of the shop: TIME_ZONE in the environment or in `.env`.
 * @throws {UsageError} for days that it refuses, such as those in the wrong order.
 */
export async function inDays<Result>(
  io: Io,
  { since, until }: GivenDays,
  read: (days: DayRange, times: TimeRange, zone: string) => Promise<Result>,
): Promise<Result> {
  try {
    // Called first: it loads `.env` for the time zone, and names every wrong setting at once.
    databaseSettings(io);
    const zone = readTimeZone(io.env);
    const days = { from: since && dayText(since.getTime()), to: until && dayText(until.getTime()) };
    return await read(days, timesOf(days, zone), zone);
  } catch (error) {
    const [wrong] = error instanceof Problem ? (error.errors ?? []) : [];
    if (!wrong) throw error;
    throw new UsageError(`${optionNames[wrong.field] ?? wrong.field}: ${wrong.message}`);
  }
}
