import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import { cataloguesKey, homeKey } from '../../api/catalogue.ts';
import { changeLists, removeBook, restoreBook } from '../../api/changes.ts';
import { retryTransient } from '../../api/client.ts';
import { catalogueErrorMessage } from '../../books/add-book.ts';
import { Button } from '../../components/button.tsx';
import { notify } from '../../components/notify.tsx';
import styles from './admin.module.css';

const buttonOf = (id: string | undefined) => document.getElementById(`delete-${id}`);

type DeleteRowProps = {
  book: Book;
  /** The book of a row beside it. */
  neighbourId: string | undefined;
};

/** The Delete button of a row in the catalogue's table. It deletes at once; Undo restores the book. */
export const DeleteRow = ({ book, neighbourId }: DeleteRowProps) => {
  const queryClient = useQueryClient();
  const { _id: id, title } = book;
  const deletion = useMutation({
    mutationFn: (_: { isByKeyboard: boolean }) => removeBook(id),
    retry: retryTransient,
    onSuccess: async (_, { isByKeyboard }) => {
      // The button is removed with its row. With the keyboard the focus moves to Undo, from which Tab leads back to the rows.
      const hadFocus = document.activeElement === buttonOf(id);
      await changeLists<Book>(queryClient, cataloguesKey, (books) => books.filter(({ _id }) => _id !== id));
      queryClient.removeQueries({ queryKey: homeKey });
      const neighbour = buttonOf(neighbourId);
      const isUndoFocused = hadFocus && (isByKeyboard || !neighbour);
      notify({
        text: (
          <>
            Deleted <cite dir="auto">{title}</cite>
          </>
        ),
        undo: restore,
        problemOf: (error) => catalogueErrorMessage(error, 'The book was not restored.'),
        ...(isUndoFocused && { beside: neighbour }),
      });
      if (hadFocus && !isUndoFocused) neighbour?.focus();
    },
  });
  const restore = async () => {
    await restoreBook(id);
    queryClient.removeQueries({ queryKey: homeKey });
    await queryClient.invalidateQueries({ queryKey: cataloguesKey });
    // The row is on the page then, if the view shows it.
    await new Promise(requestAnimationFrame);
    buttonOf(id)?.focus();
  };
  return (
    <>
      <Button
        id={`delete-${id}`}
        variant="subtle"
        aria-label={`Delete: ${title}`}
        isBusy={deletion.isPending}
        // A click without a pointer counts no clicks.
        onClick={({ detail: clickCount }) => deletion.mutate({ isByKeyboard: clickCount === 0 })}
      >
        Delete
      </Button>
      {deletion.isError && (
        <p className={`problem ${styles.problem}`} role="alert">
          {catalogueErrorMessage(deletion.error, 'The book was not deleted.')}
        </p>
      )}
    </>
  );
};
