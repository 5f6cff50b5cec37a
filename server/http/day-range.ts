import { dayMs } from '../database/times.ts';
import { fieldProblem } from './problems.ts';

/** Days such as `2026-11-21`, in UTC, both included. */
export type DayRange = { from?: string | undefined; to?: string | undefined };

/** @throws {Problem} VALIDATION_FAILED for a last day that comes before the first one. */
function checkDays({ from, to }: DayRange): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw fieldProblem('to', 'Must not be before the first day.');
  }
}

/**
 * @returns the range in milliseconds since 1970, without its end.
 * @throws {Problem} as {@link checkDays}.
 */
export function timesOf({ from, to }: DayRange): { since: number | undefined; until: number | undefined } {
  checkDays({ from, to });
  return {
    since: from === undefined ? undefined : Date.parse(from),
    until: to === undefined ? undefined : Date.parse(to) + dayMs,
  };
}
