import { money } from '../store-config.ts';

export const Price = ({ value }: { value: number }) => <data value={value}>{money.format(value)}</data>;

export const DeliveryPrice = ({ value }: { value: number }) => (value > 0 ? <Price value={value} /> : 'Free');
