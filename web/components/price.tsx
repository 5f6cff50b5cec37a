import { formatPrice } from '../../contract/price.ts';

/** A price as text. `value` is in dollars. */
export const Price = ({ value }: { value: number }) => <data value={value}>{formatPrice(value)}</data>;
