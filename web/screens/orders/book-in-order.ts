import type { Order } from '../../../contract/order.ts';
import type { CoveredBook } from '../../components/cover.tsx';

/** @returns the book of an order under the name that it had, for its cover. */
export const bookIn = ({ bookId, title, author, image = '' }: Order): CoveredBook => ({
  _id: bookId,
  title,
  author,
  image,
});
