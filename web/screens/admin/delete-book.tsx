import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Book } from '../../../contract/book.ts';
import { retryTransient } from '../../api/client.ts';
import { bookListsKey, cataloguesKey, removeBook } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { type DeletedBook, hideBook } from './book-places.ts';
import { catalogueErrorMessage } from './catalogue-error-message.ts';
import styles from './delete-book.module.css';

export type DeleteBookProps = {
  book: Book;
  /** The book was restored while Undo had the focus: its new row takes the focus. */
  shouldFocus: boolean;
  /** @param neighbour the Delete button of a row beside it. @returns the Undo button, or null when there is none. */
  onDeleted: (deleted: DeletedBook, neighbour: HTMLButtonElement | null) => HTMLButtonElement | null;
};

/** The Delete button of a row in the catalogue's table. It deletes at once; Undo restores the book. */
export const DeleteBook = ({ book, shouldFocus, onDeleted }: DeleteBookProps) => {
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
      const neighbour = neighbourOf(button.current);
      const deleted = hideBook(queryClient, book);
      // A search whose response was on its way has no list yet.
      void queryClient.refetchQueries({
        queryKey: cataloguesKey,
        predicate: ({ state }) => state.data === undefined,
      });
      queryClient.removeQueries({ queryKey: bookListsKey });
      const undoButton = onDeleted(deleted, neighbour);
      if (hadFocus) (isByKeyboard ? undoButton : (neighbour ?? undoButton))?.focus();
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

/** The Delete button of the row below, or of the row above; null when the row is the only one. */
const neighbourOf = (button: HTMLButtonElement | null): HTMLButtonElement | null => {
  const row = button?.closest('tr');
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button') ?? null;
};
