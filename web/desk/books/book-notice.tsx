import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { restoreBook } from '../../api/catalogue.ts';
import { retryTransient } from '../../api/client.ts';
import { deskBooksKey } from '../../api/desk-queries.ts';
import { deskDrafts, newBookId } from '../../books/drafts.ts';
import { focusOr } from '../../books/row-focus.ts';
import { UndoNotice } from '../../books/undo-notice.tsx';
import { withReason } from '../../components/with-reason.ts';
import type { Undoable } from './changes.ts';

/** The last deed: a message about it, with its undo or without, or a deleted book, which can be restored. */
export type Done = string | Undoable | DeskBook | undefined;

type BookNoticeProps = {
  done: Done;
  isPanelOpen: boolean;
  onDone: (done: Done) => void;
  /** Opens the panel of a book again, by its id. */
  onContinue: (id: string) => void;
};

/** The last deed; otherwise, the drafts that are not saved yet. */
export const BookNotice = ({ done, isPanelOpen, onDone, onContinue }: BookNoticeProps) => {
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const restoration = useMutation({
    mutationFn: (book: DeskBook) => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, book) => {
      await queryClient.invalidateQueries({ queryKey: deskBooksKey });
      onDone(`Restored ${book.title}: it is for sale again.`);
      focusOr(null);
    },
  });

  const undoing = useMutation({
    mutationFn: ({ undo }: Undoable) => undo(),
    onSuccess: async (message) => {
      await queryClient.invalidateQueries({ queryKey: deskBooksKey });
      onDone(message);
      focusOr(null);
    },
  });

  // The element with the focus is gone with the book.
  const deleted = typeof done === 'object' && '_id' in done ? done : undefined;
  useEffect(() => {
    if (deleted && !isPanelOpen) button.current?.focus({ preventScroll: true });
  }, [deleted, isPanelOpen]);

  if (deleted) {
    const error = restoration.variables === deleted ? restoration.error : null;
    return (
      <UndoNotice
        undoButton={button}
        isBusy={restoration.isPending}
        onUndo={() => restoration.mutate(deleted)}
      >
        {error ? withReason('The book was not restored.', error) : `Deleted ${deleted.title}.`}
      </UndoNotice>
    );
  }
  if (typeof done === 'object' && 'undo' in done) {
    const error = undoing.variables === done ? undoing.error : null;
    return (
      <UndoNotice
        onUndo={error ? undefined : () => undoing.mutate(done)}
        isBusy={undoing.isPending}
        onDismiss={() => onDone(undefined)}
      >
        {error ? withReason('It was not taken back.', error) : done.message}
      </UndoNotice>
    );
  }
  const message = typeof done === 'string' ? done : undefined;
  const [draft] = message || isPanelOpen ? [] : Object.entries(deskDrafts.readAll());
  if (!draft) return <UndoNotice>{message}</UndoNotice>;
  const [id, { typed, base }] = draft;
  return (
    <UndoNotice undoName="Continue" onUndo={() => onContinue(id)}>
      {id === newBookId ? `The new book ${typed.title}` : base.title} is not saved yet.
    </UndoNotice>
  );
};
