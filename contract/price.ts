const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** @param amount in dollars, such as 1234.5. @returns it as every price is shown: `$1,234.50`. */
export const formatPrice = (amount: number): string => dollars.format(amount);
