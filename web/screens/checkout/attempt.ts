/**
 * One attempt to buy one book. Its key is born when the checkout opens and is kept for the life of the tab, so that a
 * double click, a retry, a reload or a sign-in in between never buys twice.
 */
import type { NewOrder } from '../../../contract/order.ts';
import { randomId } from '../../random-id.ts';
import type { TabMemory } from '../../tab-memory.ts';

/** The part of the posted order that a key stands for. */
export type OrderedBook = Pick<NewOrder, 'title' | 'author' | 'price' | 'time'>;

export type Attempt = {
  key: string;
  email: string;
  ordered: OrderedBook;
  /** It went out, and whether it was taken is not known until it is closed. */
  wasSent: boolean;
};

const storageKey = (bookId: string) => `checkout:${bookId}`;

/**
 * The customer's open attempt at the book, or a fresh one. One that was sent keeps its key and its contents whatever
 * the book looks like now; one that was not gives way when the price or the day has changed.
 */
export const openAttempt = (
  attempts: TabMemory,
  bookId: string,
  email: string,
  ordered: OrderedBook,
): Attempt => {
  const open = attempts.read<Attempt>(storageKey(bookId));
  if (open?.email === email && (open.wasSent || isSameOrder(open.ordered, ordered))) return open;
  const fresh = { key: randomId(), email, ordered, wasSent: false };
  attempts.write(storageKey(bookId), fresh);
  return fresh;
};

/** To be called before the order leaves, so that a reload while it is under way finds it. */
export const markSent = (attempts: TabMemory, bookId: string, attempt: Attempt): void => {
  attempts.write(storageKey(bookId), { ...attempt, wasSent: true });
};

/** To be called once the store has taken the order or refused it. */
export const closeAttempt = (attempts: TabMemory, bookId: string): void => {
  attempts.remove(storageKey(bookId));
};

const isSameOrder = (one: OrderedBook, other: OrderedBook): boolean =>
  one.title === other.title &&
  one.author === other.author &&
  one.price === other.price &&
  one.time === other.time;
