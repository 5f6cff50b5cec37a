import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { restoreBook } from '../../api/catalogue.ts';
import { retryTransient } from '../../api/client.ts';
import { deskBooksKey, takeOutOfLists } from '../../api/desk-queries.ts';
import { buttonBeside, focusOr } from '../../books/row-focus.ts';
import { Button } from '../../components/button.tsx';
import { withReason } from '../../components/with-reason.ts';
import styles from './restore-book.module.css';

type RestoreBookProps = { book: DeskBook; onRestored: (message: string) => void };

/** Puts a deleted book back on sale. Its row goes, and the focus moves to the row below. */
export const RestoreBook = ({ book, onRestored }: RestoreBookProps) => {
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const restoration = useMutation({
    mutationFn: () => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async () => {
      const hadFocus = document.activeElement === button.current;
      const neighbour = buttonBeside(button.current);
      await takeOutOfLists(queryClient, deskBooksKey, book._id);
      onRestored(`Restored ${book.title}: it is for sale again.`);
      if (hadFocus) focusOr(neighbour, { preventScroll: true });
    },
  });
  return (
    <>
      <Button
        ref={button}
        variant="subtle"
        aria-label={`Restore: ${book.title}`}
        isBusy={restoration.isPending}
        onClick={() => restoration.mutate()}
      >
        Restore
      </Button>
      {restoration.isError && (
        <p className={styles.problem} role="alert">
          {withReason('The book was not restored.', restoration.error)}
        </p>
      )}
    </>
  );
};
