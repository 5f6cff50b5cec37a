import { money } from '../store-config.ts';

/** A price as text. */
export const Price = ({ value }: { value: number }) => <data value={value}>{money.format(value)}</data>;
