const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** @param amount in dollars. @returns such as `$1,234.50`. */
export const formatPrice = (amount: number): string => dollars.format(amount);
