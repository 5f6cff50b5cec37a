import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Book } from '../../../contract/book.ts';
import { cataloguesKey, homeKey, removeBook } from '../../api/catalogue.ts';
import { retryTransient } from '../../api/client.ts';
import { catalogueErrorMessage } from '../../books/add-book.ts';
import { buttonBeside } from '../../books/row-focus.ts';
import { Button } from '../../components/button.tsx';
import { hideBook } from './book-places.ts';
import styles from './delete-row.module.css';
import type { Deletion } from './undo-deletion.tsx';

type DeleteRowProps = {
  book: Book;
  /** The book was restored while Undo had the focus: its new row takes the focus. */
  shouldFocus: boolean;
  onDeleted: (deletion: Deletion) => void;
};

/** The Delete button of a row in the catalogue's table. It deletes at once; Undo restores the book. */
export const DeleteRow = ({ book, shouldFocus, onDeleted }: DeleteRowProps) => {
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (shouldFocus) button.current?.focus();
  }, [shouldFocus]);
  const deletion = useMutation({
    mutationFn: (_: { isByKeyboard: boolean }) => removeBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, { isByKeyboard }) => {
      // A response that is still on its way may contain the book.
      await queryClient.cancelQueries({ queryKey: cataloguesKey });
      // The button is removed with its row. With the keyboard the focus moves to Undo, from which Tab leads back to the rows.
      const hadFocus = document.activeElement === button.current;
      const neighbour = buttonBeside(button.current);
      const isUndoFocused = hadFocus && (isByKeyboard || !neighbour);
      const deleted = hideBook(queryClient, book);
      // A search whose response was on its way has no list yet.
      void queryClient.refetchQueries({
        queryKey: cataloguesKey,
        predicate: ({ state }) => state.data === undefined,
      });
      queryClient.removeQueries({ queryKey: homeKey });
      onDeleted({ ...deleted, neighbour, isUndoFocused });
      if (hadFocus && !isUndoFocused) neighbour?.focus();
    },
  });

  return (
    <>
      <Button
        ref={button}
        variant="subtle"
        aria-label={`Delete: ${book.title}`}
        isBusy={deletion.isPending}
        // A click without a pointer counts no clicks.
        onClick={({ detail: clickCount }) => deletion.mutate({ isByKeyboard: clickCount === 0 })}
      >
        Delete
      </Button>
      {deletion.isError && (
        <p className={styles.problem} role="alert">
          {catalogueErrorMessage(deletion.error, 'The book was not deleted.')}
        </p>
      )}
    </>
  );
};
