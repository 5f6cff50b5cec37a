import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Book } from '../../../contract/book.ts';
import { retryTransient } from '../../api/client.ts';
import { type BookSearch, bookListsKey, cataloguesKey, restoreBook } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { catalogueErrorMessage } from './catalogue-error-message.ts';
import styles from './undo-delete.module.css';

/**
 * Undo for the book that was deleted last.
 * @param search whose list is shown.
 * @returns `offerUndo`, to call with each deleted book, which returns the Undo button; `undoNotice`, the element with the
 * book's title and the button; and `restoredBook`, a restored book whose row takes the focus from the button.
 */
export const useUndoDelete = (search: BookSearch) => {
  const queryClient = useQueryClient();
  const [deletedBook, setDeletedBook] = useState<Book>();
  const [restoration, setRestoration] = useState<{ book: Book; search: BookSearch }>();
  const undoButton = useRef<HTMLButtonElement>(null);
  const undo = useMutation({
    mutationFn: (book: Book) => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, restored) => {
      // The button is busy and has the focus until the row is back. Then the row takes the focus.
      if (document.activeElement === undoButton.current) setRestoration({ book: restored, search });
      queryClient.removeQueries({ queryKey: bookListsKey });
      await queryClient.invalidateQueries({ queryKey: cataloguesKey });
      setDeletedBook((latest) => (latest === restored ? undefined : latest));
    },
  });

  const offerUndo = (book: Book): HTMLButtonElement | null => {
    undo.reset();
    setRestoration(undefined);
    flushSync(() => setDeletedBook(book));
    return undoButton.current;
  };

  const undoNotice = (
    <div className={styles.position} role="status">
      {deletedBook && (
        <div className={styles.notice}>
          <p>
            {undo.isError ? (
              catalogueErrorMessage(undo.error, 'The book was not restored.')
            ) : (
              <>
                Deleted <cite dir="auto">{deletedBook.title}</cite>
              </>
            )}
          </p>
          <Button
            ref={undoButton}
            variant="subtle"
            isBusy={undo.isPending}
            onClick={() => undo.mutate(deletedBook)}
          >
            Undo
          </Button>
        </div>
      )}
    </div>
  );

  // In the list of a later search the row appears for another reason, and takes no focus.
  const restoredBook = restoration?.search === search ? restoration.book : undefined;
  return { offerUndo, undoNotice, restoredBook };
};
