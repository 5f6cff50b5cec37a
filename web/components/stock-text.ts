import type { BookInStock } from '../../contract/book.ts';

/** @returns the words for the copies that are left; undefined while there are more than a few. */
export const stockText = ({ soldOut, copiesLeft }: BookInStock): string | undefined => {
  if (soldOut) return 'Sold out';
  if (copiesLeft === undefined) return undefined;
  return copiesLeft === 1 ? 'Last copy' : `${copiesLeft} left`;
};
