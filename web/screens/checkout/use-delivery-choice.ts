import { useState } from 'react';
import { sumOf } from '../../../contract/money.ts';
import type { NewOrder } from '../../../contract/order.ts';
import type { Way } from '../../../contract/ways.ts';
import { storageOf } from '../../memory/tab-storage.ts';

/** The way that the customer has chosen, and the words of a gift: undefined for an order that is none. */
export type DeliveryChoice = { way?: string; gift?: string | undefined };

const storageKey = 'delivery-choice';

/** Call this function when the store has taken an order. */
export const forgetDeliveryChoice = (email: string): void => storageOf(email).remove(storageKey);

/** What was chosen in this tab, also before a reload or a sign-in. */
export const useDeliveryChoice = (email: string) => {
  const [choice, setChoice] = useState(() => storageOf(email).read<DeliveryChoice>(storageKey) ?? {});
  const choose = (changes: DeliveryChoice) => {
    const next = { ...choice, ...changes };
    setChoice(next);
    storageOf(email).write(storageKey, next);
  };
  return { choice, choose };
};

/** The part of an order that its way decides: nothing in a shop without ways. If the chosen way is gone, it is the first one. */
export const deliveryOf = (
  ways: readonly Way[],
  { way: id, gift }: DeliveryChoice,
  price: number,
): Pick<NewOrder, 'way' | 'total' | 'gift'> => {
  const way = ways.find((one) => one.id === id) ?? ways[0];
  if (!way) return {};
  const total = sumOf([price, way.price.value]);
  return { way: way.id, total, ...(gift !== undefined && { gift: { text: gift } }) };
};
