import type { BookInStock } from '../../contract/book.ts';

/** @returns what a page says of the copies of a book; nothing while there are more than a few. */
export const stockText = ({ soldOut, copiesLeft }: BookInStock): string | undefined => {
  if (soldOut) return 'Sold out';
  if (copiesLeft === undefined) return undefined;
  return copiesLeft === 1 ? 'Last copy' : `${copiesLeft} left`;
};
