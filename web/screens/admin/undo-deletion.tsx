import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import type { Book } from '../../../contract/book.ts';
import { homeKey, restoreBook } from '../../api/catalogue.ts';
import { retryTransient } from '../../api/client.ts';
import { catalogueErrorMessage } from '../../books/add-book.ts';
import { buttonAbove, focusOr } from '../../books/row-focus.ts';
import { UndoNotice } from '../../books/undo-notice.tsx';
import { pressedKey } from '../../components/pressed-key.ts';
import { type DeletedBook, showBook } from './book-places.ts';

/** A deletion that can be undone. */
export type Deletion = DeletedBook & {
  /** The Delete button of a row beside it; null for none. */
  neighbour: HTMLButtonElement | null;
  /** Undo takes the focus from the row that is gone. */
  isUndoFocused: boolean;
};

type UndoDeletionProps = {
  /** The last one. */
  deletion: Deletion | undefined;
  /** Undo has the focus, and the book's row is about to be back. */
  onLeave: (book: Book) => void;
  /** It was undone, or dismissed. */
  onDone: (deletion: Deletion) => void;
};

/** The title of the book that was deleted last, and Undo. */
export const UndoDeletion = ({ deletion, onLeave, onDone }: UndoDeletionProps) => {
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const undo = useMutation({
    mutationFn: ({ book }: Deletion) => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, restored) => {
      // The button is busy and has the focus until the row is back. Then the row takes the focus.
      if (document.activeElement === button.current) onLeave(restored.book);
      queryClient.removeQueries({ queryKey: homeKey });
      await showBook(queryClient, restored);
      onDone(restored);
    },
  });
  useLayoutEffect(() => {
    if (deletion?.isUndoFocused) button.current?.focus();
  }, [deletion]);
  if (!deletion) return <UndoNotice>{undefined}</UndoNotice>;

  const { neighbour, book } = deletion;
  const dismiss = (options?: FocusOptions) => {
    focusOr(neighbour, options);
    onDone(deletion);
  };
  /** Tab goes on where the deleted row was, not at the end of the page, where the button is. Escape dismisses it. */
  const leave = (event: KeyboardEvent) => {
    const key = pressedKey(event);
    if (key === 'Escape') dismiss();
    else if (key === 'Tab' && neighbour?.isConnected) {
      event.preventDefault();
      (event.shiftKey ? buttonAbove(neighbour) : neighbour).focus();
    }
  };
  const isOfThis = undo.variables === deletion;
  return (
    <UndoNotice
      undoButton={button}
      isBusy={isOfThis && undo.isPending}
      onUndo={() => undo.mutate(deletion)}
      onKeyDown={leave}
      onDismiss={() => dismiss({ preventScroll: true })}
    >
      {isOfThis && undo.isError ? (
        catalogueErrorMessage(undo.error, 'The book was not restored.')
      ) : (
        <>
          Deleted <cite dir="auto">{book.title}</cite>
        </>
      )}
    </UndoNotice>
  );
};
