import { grouped } from './meter.ts';

/** @returns a number with its noun, such as `1 order` or `1,000 orders`. */
export const counted = (number: number, noun: string): string =>
  `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
