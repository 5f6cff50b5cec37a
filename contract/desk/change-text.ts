import type { Money } from '../price.ts';
import type { ChangedBooks } from './changed-books.ts';

/** @returns such as `$23.49 → $13.37`. */
export const changeText = ({ from, to }: ChangedBooks['changed'][number], { format }: Money): string => {
  if (to.price !== undefined) return `${format(from.price ?? 0)} → ${format(to.price)}`;
  if (to.keywords !== undefined) return `${from.keywords || 'none'} → ${to.keywords || 'none'}`;
  return to.isDeleted ? 'for sale → deleted' : 'deleted → for sale';
};
