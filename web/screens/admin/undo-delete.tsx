import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
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
  const neighbourButton = useRef<HTMLButtonElement>(null);
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

  const offerUndo = (book: Book, neighbour: HTMLButtonElement | null): HTMLButtonElement | null => {
    neighbourButton.current = neighbour;
    undo.reset();
    setRestoration(undefined);
    flushSync(() => setDeletedBook(book));
    return undoButton.current;
  };

  /** Tab goes on where the deleted row was, not at the end of the page, where the button is. Escape dismisses it. */
  const leaveUndo = (event: KeyboardEvent) => {
    const isEscape = event.key === 'Escape';
    const neighbour = neighbourButton.current;
    if (!isEscape && event.key !== 'Tab') return;
    if (neighbour?.isConnected) {
      event.preventDefault();
      (event.shiftKey ? buttonAbove(neighbour) : neighbour).focus();
    } else if (isEscape) {
      document.querySelector('h1')?.focus();
    }
    if (isEscape) setDeletedBook(undefined);
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
            onKeyDown={leaveUndo}
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

/** @returns the button of the row above, or the same one in the first row. */
const buttonAbove = (button: HTMLButtonElement): HTMLButtonElement =>
  button.closest('tr')?.previousElementSibling?.querySelector('button') ?? button;
