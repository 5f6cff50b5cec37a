/**
 * The order that a checkout is about to place. Its key is made when the checkout opens and stored for the life of the tab,
 * in the storage of its customer, so that a double click, a retry, a reload or a sign-in in between never buys twice.
 */

import type { NewOrder } from '../../../contract/order.ts';
import { randomId } from '../../memory/platform.ts';
import type { TabStorage } from '../../memory/tab-storage.ts';

/** The part of the posted order that a key stands for. */
export type OrderedBook = Pick<NewOrder, 'title' | 'author' | 'price' | 'time' | 'bookId'>;

export type PendingOrder = {
  /** The Idempotency-Key. */
  key: string;
  ordered: OrderedBook;
  /** It was sent, and no response has confirmed or rejected it. */
  wasSent: boolean;
  /**
   * Whenever it was sent, the device said that it had no connection, so nothing has left it. It keeps its key all the same: a device
   * may be wrong.
   */
  wasOffline?: boolean;
};

const storageKey = (bookId: string) => `checkout:${bookId}` as const;

/**
 * Finds the pending order of the book, or makes one, which {@link keepPendingOrder} stores. An order that was sent keeps its key and its
 * contents, whatever the book is now; one that was not sent is replaced when the price or the day has changed.
 */
export const openPendingOrder = (storage: TabStorage, bookId: string, ordered: OrderedBook): PendingOrder => {
  const stored = storage.read<PendingOrder>(storageKey(bookId));
  if (stored && (stored.wasSent || isSameOrder(stored.ordered, ordered))) return stored;
  return { key: randomId(), ordered, wasSent: false };
};

/** Stores an order that is not stored yet: what became of one that was sent meanwhile stays. */
export const keepPendingOrder = (storage: TabStorage, bookId: string, order: PendingOrder): void => {
  if (storage.read<PendingOrder>(storageKey(bookId))?.key !== order.key)
    storage.write(storageKey(bookId), order);
};

type SendOrder<Result> = {
  send: () => Promise<Result>;
  /** @returns true if an error of `send` says that the store has not looked at the order. */
  isUnread: (error: unknown) => boolean;
  /** The device says that it has no connection. */
  isOffline: boolean;
};

/**
 * Sends the order, and records whether the store may have taken it: before the call, so that a reload in the meantime finds
 * it, and afterwards when the response says that the store has not looked at the order.
 * @throws what `send` throws.
 */
export const sendPendingOrder = async <Result>(
  storage: TabStorage,
  bookId: string,
  order: PendingOrder,
  { send, isUnread, isOffline }: SendOrder<Result>,
): Promise<Result> => {
  const earlier = storage.read<PendingOrder>(storageKey(bookId)) ?? order;
  const wasOffline = isOffline && (!earlier.wasSent || earlier.wasOffline === true);
  storage.write(storageKey(bookId), { ...order, wasSent: true, wasOffline });
  try {
    return await send();
  } catch (error) {
    // An earlier call may have been taken all the same.
    if (isUnread(error))
      storage.write(storageKey(bookId), {
        ...order,
        wasSent: earlier.wasSent,
        wasOffline: earlier.wasOffline ?? false,
      });
    throw error;
  }
};

/** Call it when the store has taken the order or refused it. */
export const discardPendingOrder = (storage: TabStorage, bookId: string): void => {
  storage.remove(storageKey(bookId));
};

const isSameOrder = (one: OrderedBook, other: OrderedBook): boolean =>
  one.title === other.title &&
  one.author === other.author &&
  one.price === other.price &&
  one.time === other.time &&
  one.bookId === other.bookId;
