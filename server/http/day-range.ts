import { dayOf, startOfDay } from '../../contract/shop-days.ts';
import { fieldProblem } from './problems.ts';

/** @param from, to days such as `2026-11-21`, both included. @returns milliseconds since 1970; `until` is excluded. */
export function timesOf({ from, to }: { from?: string | undefined; to?: string | undefined }, zone: string) {
  if (from !== undefined && to !== undefined && from > to) {
    throw fieldProblem('to', 'Must not be before the first day.');
  }
  return {
    since: from === undefined ? undefined : startOfDay(dayOf(from), zone),
    until: to === undefined ? undefined : startOfDay(dayOf(to) + 1, zone),
  };
}
