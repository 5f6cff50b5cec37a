import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Book } from '../../../contract/book.ts';
import { retryTransient } from '../../api/client.ts';
import { bookListsKey, catalogueQuery, restoreBook } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { catalogueErrorMessage } from './catalogue-error-message.ts';
import styles from './undo-delete.module.css';

/**
 * Undo for the book that was deleted last.
 * @returns `offerUndo`, to call with each deleted book, which returns the Undo button; `undoNotice`, the element with the
 * book's title and the button; and `restoredBook`, a restored book whose row takes the focus from the button.
 */
export const useUndoDelete = () => {
  const queryClient = useQueryClient();
  const [deletedBook, setDeletedBook] = useState<Book>();
  const [restoredBook, setRestoredBook] = useState<Book>();
  const undoButton = useRef<HTMLButtonElement>(null);
  const restoration = useMutation({
    mutationFn: (book: Book) => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, restored) => {
      // The button is busy and has the focus until the row is back. Then the row takes the focus.
      if (document.activeElement === undoButton.current) setRestoredBook(restored);
      queryClient.removeQueries({ queryKey: bookListsKey });
      await queryClient.invalidateQueries({ queryKey: catalogueQuery.queryKey });
      setDeletedBook((latest) => (latest === restored ? undefined : latest));
    },
  });

  const offerUndo = (book: Book): HTMLButtonElement | null => {
    restoration.reset();
    setRestoredBook(undefined);
    flushSync(() => setDeletedBook(book));
    return undoButton.current;
  };

  const undoNotice = (
    <div className={styles.position} role="status">
      {deletedBook && (
        <div className={styles.notice}>
          <p>
            {restoration.isError ? (
              catalogueErrorMessage(restoration.error, 'The book was not restored.')
            ) : (
              <>
                Deleted <cite dir="auto">{deletedBook.title}</cite>
              </>
            )}
          </p>
          <Button
            ref={undoButton}
            variant="subtle"
            isBusy={restoration.isPending}
            onClick={() => restoration.mutate(deletedBook)}
          >
            Undo
          </Button>
        </div>
      )}
    </div>
  );

  return { offerUndo, undoNotice, restoredBook };
};
