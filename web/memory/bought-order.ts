/** The order that was placed just now: the checkout names it in the history entry of the orders, which thank for it once. */

import { useEffect, useState } from 'react';
import type { Order } from '../../contract/order.ts';
import { changeEntry } from './platform.ts';

/** @param order the response to the order; another host's may be anything. @returns the state of the new history entry. */
export const boughtOrderState = (order: Partial<Order> | null) => ({ boughtOrder: order?._id });

/** @returns the id of the order; undefined after a reload, and when the screen was opened in another way. */
export const useBoughtOrder = (): string | undefined => {
  const [id] = useState<string | undefined>(() => window.history.state?.boughtOrder);
  useEffect(() => {
    if (id !== undefined) changeEntry({ boughtOrder: undefined });
  }, [id]);
  return id;
};
