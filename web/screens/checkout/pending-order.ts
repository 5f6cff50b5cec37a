/**
 * The order that a checkout is about to place. Its key is made when the checkout opens, and is stored in the tab for its customer, so that
 * a double click, a retry, a reload or a sign-in in between never buys twice.
 */

import type { NewOrder } from '../../../contract/order.ts';
import { isUnread } from '../../api/orders.ts';
import { isOnline, randomId } from '../../memory/platform.ts';
import { storedFor } from '../../memory/tab-storage.ts';

/** The part of the posted order that a key stands for. */
export type OrderedBook = Pick<
  NewOrder,
  'title' | 'author' | 'price' | 'time' | 'bookId' | 'way' | 'total' | 'gift'
>;

export type PendingOrder = {
  /** The Idempotency-Key. */
  key: string;
  ordered: OrderedBook;
  /** True if the order was sent, and no response has confirmed or rejected it. */
  wasSent: boolean;
  /**
   * True if the device was offline whenever the order was sent, so nothing has left it. The order keeps its key all the same: a device may
   * be wrong.
   */
  wasOffline?: boolean;
};

/** A customer's pending order of a book, as the tab stores it. */
export const storedOrder = (email: string, bookId: string) => {
  const storage = storedFor<PendingOrder>(email, `checkout:${bookId}`);
  return {
    /**
     * Finds the pending order, or makes one, which `keep` stores. An order that was sent keeps its key and contents, even if the book has
     * changed; an unsent order is replaced when the price or the day has changed.
     */
    open: (ordered: OrderedBook): PendingOrder => {
      const stored = storage.read();
      if (stored && (stored.wasSent || isSameOrder(stored.ordered, ordered))) return stored;
      return { key: randomId(), ordered, wasSent: false };
    },
    /** Stores an order that is not stored yet. If a stored order was sent meanwhile, its record stays. */
    keep: (order: PendingOrder): void => {
      if (storage.read()?.key !== order.key) storage.write(order);
    },
    /**
     * Sends the order, and records whether the store may have taken it: before the call, so that a reload in the meantime finds the record,
     * and again when the response says that the store has not looked at the order. @throws what `call` throws.
     */
    send: async <Result>(order: PendingOrder, call: () => Promise<Result>): Promise<Result> => {
      const earlier = storage.read() ?? order;
      const wasOffline = !isOnline() && (!earlier.wasSent || earlier.wasOffline === true);
      storage.write({ ...order, wasSent: true, wasOffline });
      try {
        return await call();
      } catch (error) {
        // An earlier call may still have been taken.
        if (isUnread(error))
          storage.write({ ...order, wasSent: earlier.wasSent, wasOffline: earlier.wasOffline ?? false });
        throw error;
      }
    },
    /** Call this function when the store has taken or refused the order. */
    remove: storage.remove,
  };
};

export const isSameOrder = (one: OrderedBook, other: OrderedBook): boolean => partsOf(one) === partsOf(other);

const partsOf = ({ title, author, price, time, bookId, way, total, gift }: OrderedBook): string =>
  JSON.stringify([title, author, price, time, bookId, way, total, gift?.text]);
