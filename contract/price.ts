/** Prices as people read them, in the currency of the store. Inside the store and in the API a price has no currency: money.ts. */

export const defaultCurrency = 'USD';

/** The currencies of ISO 4217 without decimals. What `Intl` has differs from one browser to another. */
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';

export type Money = ReturnType<typeof moneyIn>;

/** @param currency a code of ISO 4217 with two decimals or none. */
export function moneyIn(currency: string) {
  const decimals = withoutDecimals.includes(currency) ? 0 : 2;
  const stepCents = decimals === 0 ? 100 : 1;
  const style = new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  });
  const symbol = style.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  return {
    currency,
    decimals,
    /** @param amount such as 1234.5. @returns such as `$1,234.50` or `CHF 1,234.50`. */
    format: (amount: number): string => style.format(amount).replace('\u00a0', ' '),
    /** @returns the amount without its currency, for programs: such as `1234.50`. */
    write: (amount: number): string => amount.toFixed(decimals),
    /** @returns a heading or a label, such as `Price ($)`. */
    named: (name: string): string => `${name} (${symbol})`,
    /** The smallest difference of two prices. */
    stepCents,
    has: (cents: number): boolean => cents % stepCents === 0,
  };
}
