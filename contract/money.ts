/** Integer cents inside, a number such as 12.99 at the edge. */

/** Ten million less a cent: far above any book, far below where integers or a 32-bit column end. */
export const maxCents = 999_999_999;

/**
 * @param amount the text of a price field, or a number.
 * @returns cents, or undefined for what is no non-negative amount with at most two decimals below 10,000,000.
 */
export function amountToCents(amount: string | number): number | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(String(amount).trim());
  if (!match) return undefined;
  const [, whole, decimals = ''] = match;
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

export const centsToAmount = (cents: number): number => cents / 100;
