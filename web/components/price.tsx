import { money } from '../store-config.ts';

export const Price = ({ value }: { value: number }) => <data value={value}>{money.format(value)}</data>;
