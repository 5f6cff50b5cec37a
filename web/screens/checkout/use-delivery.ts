import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sumOf } from '../../../contract/money.ts';
import type { NewOrder } from '../../../contract/order.ts';
import type { Way } from '../../../contract/ways.ts';
import { addressQuery } from '../../api/orders.ts';
import { storedFor } from '../../memory/tab-storage.ts';
import { storeConfig } from '../../store-config.ts';

/** The customer's texts and choices in this tab. `gift`: its words; undefined for an order that is none. */
type Typed = { address?: string; way?: string; gift?: string | undefined };

const storedTexts = (email: string) => storedFor<Typed>(email, 'delivery');

/** Call this function when the store has taken an order: the customer's next checkout begins anew. */
export const forgetDelivery = (email: string): void => storedTexts(email).remove();

/**
 * How the customer gets the book, also after a reload or a sign-in. `address`: the typed one; otherwise that which the store knows, once it
 * has arrived.
 */
export const useDelivery = (email: string) => {
  const known = useQuery({ ...addressQuery, enabled: storeConfig.hasDelivery });
  const [typed, setTyped] = useState(() => storedTexts(email).read() ?? {});
  const change = (changes: Typed) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    storedTexts(email).write(next);
  };
  return {
    ...typed,
    address: typed.address ?? known.data?.deliveryAddress ?? '',
    isPending: typed.address === undefined && known.isLoading,
    change,
  };
};
export type Delivery = ReturnType<typeof useDelivery>;

/** The part of an order that its way decides: nothing in a shop without ways. If the chosen way is gone, it is the first one. */
export const deliveryOf = (
  ways: readonly Way[],
  { way: id, gift }: Typed,
  price: number,
): Pick<NewOrder, 'way' | 'total' | 'gift'> => {
  const way = ways.find((one) => one.id === id) ?? ways[0];
  if (!way) return {};
  const total = sumOf([price, way.price.value]);
  return { way: way.id, total, ...(gift !== undefined && { gift: { text: gift } }) };
};
