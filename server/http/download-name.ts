import { dayText } from '../database/times.ts';

/** @returns the name of a file that is made now, without its ending: the parts and the day, such as `orders-new-2026-11-21`. */
export const downloadName = (...parts: readonly string[]): string =>
  [...parts, dayText(Date.now())].join('-');
