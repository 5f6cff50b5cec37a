import { formatPrice } from '../../contract/price.ts';
import styles from './price.module.css';

/** A price as text. `value` is in dollars. */
export const Price = ({ value }: { value: number }) => (
  <span className={styles.price}>{formatPrice(value)}</span>
);
