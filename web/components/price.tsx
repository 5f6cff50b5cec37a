import styles from './price.module.css';

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** @param value in dollars, such as 1234.5. @returns it as every price is shown: `$1,234.50`. */
export const formatPrice = (value: number): string => dollars.format(value);

/** A price as text. `value` is in dollars. */
export const Price = ({ value }: { value: number }) => (
  <span className={styles.price}>{formatPrice(value)}</span>
);
