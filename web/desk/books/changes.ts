import { counted } from '../../../contract/counted.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { changeText } from '../../../contract/desk/change-text.ts';
import type { ChangeBooks, ChangedBooks, UndoBooks } from '../../../contract/desk/changed-books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { send } from '../../api/calls.ts';
import { isTransient } from '../../api/client.ts';
import { withReason } from '../../components/with-reason.ts';
import { money } from '../../store-config.ts';

/** Changes the books of these versions, or only reports what the change would do. A repeated call changes no book twice. */
export const changeBooks = (
  books: readonly DeskBook[],
  change: ChangeBooks['change'],
  { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {},
): Promise<ChangedBooks> => {
  const versions = books.map(({ _id, version }) => ({ _id, version }));
  const json: ChangeBooks = { books: versions, change, dryRun };
  return send('POST', deskPaths.booksChange, json, signal && { signal });
};

const reasons: Record<ChangedBooks['skipped'][number]['reason'], string> = {
  gone: 'not for sale any more',
  changed: 'changed meanwhile',
  same: 'so already',
  invalid: 'not possible',
};

/** @returns a sentence such as `2 books stay as they are: 1 so already, 1 changed meanwhile.`; empty for none. */
export const skippedText = (skipped: ChangedBooks['skipped']): string => {
  if (skipped.length === 0) return '';
  const parts = Object.entries(reasons).flatMap(([reason, words]) => {
    const count = skipped.filter((book) => book.reason === reason).length;
    return count > 0 ? `${count.toLocaleString('en')} ${words}` : [];
  });
  const verb = skipped.length === 1 ? 'stays as it is' : 'stay as they are';
  return `${counted(skipped.length, 'book')} ${verb}: ${parts.join(', ')}.`;
};

export const toldOf = ({ changed, skipped }: ChangedBooks, done = 'Changed') => {
  const [only] = changed;
  if (!only) return { text: `No book was changed. ${skippedText(skipped)}`.trim() };
  const what =
    changed.length === 1
      ? `${only.title}: ${changeText(only, money)}.`
      : `${done} ${counted(changed.length, 'book')}.`;
  return {
    text: `${what} ${skippedText(skipped)}`.trim(),
    // The call is not repeated automatically: it would take its own change for another editor's.
    undo: async () => {
      try {
        // Books that have changed since stay as they are.
        const books = changed.map(({ _id, version, from }) => ({ _id, version, ...from }));
        const undone = await send<ChangedBooks>('POST', deskPaths.booksUndo, { books } satisfies UndoBooks);
        return `Took back the change of ${counted(undone.changed.length, 'book')}. ${skippedText(undone.skipped)}`.trim();
      } catch (error) {
        if (!isTransient(error)) throw error;
        return withReason('We have not heard whether it was taken back.', error);
      }
    },
  };
};

const setDeleted = (isDeleted: boolean) => ({
  where: ({ removedAt }: DeskBook) => (removedAt === null) === isDeleted,
  run: async (books: readonly DeskBook[]) =>
    toldOf(await changeBooks(books, { isDeleted }), isDeleted ? 'Deleted' : 'Restored'),
});

export const deleteBooks = { name: 'Delete', ...setDeleted(true) };
export const restoreBooks = { name: 'Restore', ...setDeleted(false) };
