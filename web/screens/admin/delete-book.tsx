import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Book } from '../../../contract/book.ts';
import { retryPassing } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { catalogueQuery, removeBook, shelfKey } from '../../queries.ts';
import styles from './delete-book.module.css';
import { refusalOf } from './refusal.ts';

type DeleteBookProps = { book: Book; onDeleted: (book: Book) => void };

export const DeleteBook = ({ book, onDeleted }: DeleteBookProps) => {
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const deletion = useMutation({
    mutationFn: () => removeBook(book._id),
    retry: retryPassing,
    onSuccess: async () => {
      // A page under way may still carry the book.
      await queryClient.cancelQueries({ queryKey: catalogueQuery.queryKey });
      focusNeighbour(button.current);
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
      queryClient.removeQueries({ queryKey: shelfKey });
      onDeleted(book);
    },
  });

  return (
    <>
      <Button
        ref={button}
        weight="slight"
        aria-label={`Delete: ${book.title}`}
        disabled={deletion.isPending}
        onClick={() => deletion.mutate()}
      >
        Delete
      </Button>
      {deletion.isError && (
        <p className={styles.problem} role="alert">
          {refusalOf(deletion.error, 'The book was not deleted.')}
        </p>
      )}
    </>
  );
};

/** Keeps a keyboard's place in the table: the button that had the focus is about to go with its row. */
const focusNeighbour = (button: HTMLButtonElement | null) => {
  if (!button || (document.activeElement !== button && document.activeElement !== document.body)) return;
  const row = button.closest('tr');
  (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button')?.focus();
};
