import type { DeskOrder } from '../../contract/desk/orders.ts';

/** @returns what stands in a text for a buyer. An erasure leaves neither the name nor the e-mail. */
export const buyerName = ({ name, email }: Omit<DeskOrder['buyer'], '_id'>): string =>
  email === '' ? 'an erased customer' : name;
