import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Book } from '../../../contract/book.ts';
import { retryTransient } from '../../api/client.ts';
import { bookListsKey, catalogueQuery, removeBook } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import styles from './delete-book.module.css';
import { errorMessage } from './error-message.ts';

type DeleteBookProps = {
  book: Book;
  /** Its deletion was taken back: the row is new, and the focus belongs to it. */
  isReturning: boolean;
  /** Answers the button that takes the deletion back. */
  onDeleted: (book: Book) => HTMLButtonElement | null;
};

export const DeleteBook = ({ book, isReturning, onDeleted }: DeleteBookProps) => {
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isReturning) button.current?.focus();
  }, [isReturning]);
  const deletion = useMutation({
    mutationFn: () => removeBook(book._id),
    retry: retryTransient,
    onSuccess: async () => {
      // A page under way may still carry the book.
      await queryClient.cancelQueries({ queryKey: catalogueQuery.queryKey });
      // A keyboard's place in the table is to be kept when the button goes with its row.
      const hadFocus = document.activeElement === button.current;
      const neighbour = neighbourOf(button.current);
      queryClient.setQueryData(
        catalogueQuery.queryKey,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              body: page.body.filter(({ _id }) => _id !== book._id),
            })),
          },
      );
      queryClient.removeQueries({ queryKey: bookListsKey });
      const undo = onDeleted(book);
      if (hadFocus) (neighbour ?? undo)?.focus();
    },
  });

  return (
    <>
      <Button
        ref={button}
        weight="slight"
        aria-label={`Delete: ${book.title}`}
        isBusy={deletion.isPending}
        onClick={() => deletion.mutate()}
      >
        Delete
      </Button>
      {deletion.isError && (
        <p className={styles.problem} role="alert">
          {errorMessage(deletion.error, 'The book was not deleted.')}
        </p>
      )}
    </>
  );
};

/** The button of the row below, or above; null when the row is the only one. */
const neighbourOf = (button: HTMLButtonElement | null): HTMLButtonElement | null => {
  const row = button?.closest('tr');
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button') ?? null;
};
