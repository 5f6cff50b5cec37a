/** Changes of books, in words, and their undo. */

import { counted } from '../../../contract/counted.ts';
import { changeText } from '../../../contract/desk/change-text.ts';
import type { ChangedBooks } from '../../../contract/desk/changed-books.ts';
import { undoBooks } from '../../api/desk-book-changes.ts';

export type Undoable = {
  message: string;
  /** @returns what to say about it. */
  undo: () => Promise<string>;
};

const reasons: Record<ChangedBooks['skipped'][number]['reason'], string> = {
  gone: 'not for sale any more',
  changed: 'changed meanwhile',
  same: 'so already',
  invalid: 'not possible',
};

/** @returns such as `2 books stay as they are: 1 so already, 1 changed meanwhile.`; empty for none. */
export const skippedText = (skipped: ChangedBooks['skipped']): string => {
  if (skipped.length === 0) return '';
  const parts = Object.entries(reasons).flatMap(([reason, words]) => {
    const count = skipped.filter((book) => book.reason === reason).length;
    return count > 0 ? `${count.toLocaleString('en')} ${words}` : [];
  });
  const verb = skipped.length === 1 ? 'stays as it is' : 'stay as they are';
  return `${counted(skipped.length, 'book')} ${verb}: ${parts.join(', ')}.`;
};

/** @returns what was done, with its undo. */
export const undoable = ({ changed, skipped }: ChangedBooks): Undoable | string => {
  const [only] = changed;
  if (!only) return `No book was changed. ${skippedText(skipped)}`.trim();
  const what =
    changed.length === 1
      ? `${only.title}: ${changeText(only)}.`
      : `Changed ${counted(changed.length, 'book')}.`;
  return {
    message: `${what} ${skippedText(skipped)}`.trim(),
    undo: async () => {
      const undone = await undoBooks(changed);
      return `Took back the change of ${counted(undone.changed.length, 'book')}. ${skippedText(undone.skipped)}`.trim();
    },
  };
};
