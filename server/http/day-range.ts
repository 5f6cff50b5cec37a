import { dayOf, startOfDay } from '../../contract/shop-days.ts';
import { fieldProblem } from './problems.ts';

/** Days such as `2026-11-21`, in the shop's zone, both included. */
type DayRange = { from?: string | undefined; to?: string | undefined };

/** @throws {Problem} VALIDATION_FAILED for a last day that comes before the first one. */
function checkDays({ from, to }: DayRange): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw fieldProblem('to', 'Must not be before the first day.');
  }
}

/** Milliseconds since 1970: `since` is included, `until` is not. */
type TimeRange = { since: number | undefined; until: number | undefined };

/**
 * @returns the range in times.
 * @throws {Problem} as {@link checkDays}.
 */
export function timesOf({ from, to }: DayRange, zone: string): TimeRange {
  checkDays({ from, to });
  return {
    since: from === undefined ? undefined : startOfDay(dayOf(from), zone),
    until: to === undefined ? undefined : startOfDay(dayOf(to) + 1, zone),
  };
}
