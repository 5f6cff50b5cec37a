/** Money is integer cents inside the store, and a number such as 12.99 in the API. */

import { tidyValue } from './pasted-text.ts';

/** One cent below ten million: far above any price, and within a 32-bit integer column. */
export const maxCents = 999_999_999;

/** Reads a decimal point or comma. @returns undefined for an amount that is negative, above {@link maxCents}, or has more than two decimals. */
export function amountToCents(amount: string | number): number | undefined {
  const match = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(tidyValue(String(amount)));
  if (!match) return undefined;
  const [, whole, decimals = ''] = match;
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return cents <= maxCents ? cents : undefined;
}

/** @returns the sum of amounts; a sum of numbers such as 12.99 would not be exact. */
export const sumOf = (amounts: readonly number[]): number =>
  centsToAmount(amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0));

export const centsToAmount = (cents: number): number => cents / 100;
