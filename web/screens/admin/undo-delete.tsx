import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Book } from '../../../contract/book.ts';
import { retryTransient } from '../../api/client.ts';
import { type BookSearch, bookListsKey, restoreBook } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { type DeletedBook, showBook } from './book-places.ts';
import { catalogueErrorMessage } from './catalogue-error-message.ts';
import styles from './undo-notice.module.css';

/**
 * Undo for the book that was deleted last.
 * @param search whose list is shown; undefined where none is.
 * @returns `offerUndo`, to call with each deleted book, which returns the Undo button; `undoNotice`, the element with the
 * book's title and the button; and `restoredBook`, a restored book whose row takes the focus from the button.
 */
export const useUndoDelete = (search: BookSearch | undefined) => {
  const queryClient = useQueryClient();
  const [deleted, setDeleted] = useState<DeletedBook>();
  const [restoration, setRestoration] = useState<{ book: Book; search: BookSearch }>();
  const undoButton = useRef<HTMLButtonElement>(null);
  const neighbourButton = useRef<HTMLButtonElement>(null);
  const undo = useMutation({
    mutationFn: ({ book }: DeletedBook) => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, restored) => {
      // The button is busy and has the focus until the row is back. Then the row takes the focus.
      if (document.activeElement === undoButton.current) {
        if (search) setRestoration({ book: restored.book, search });
        else focusHeading();
      }
      queryClient.removeQueries({ queryKey: bookListsKey });
      await showBook(queryClient, restored);
      setDeleted((latest) => (latest === restored ? undefined : latest));
    },
  });

  const offerUndo = (deleted: DeletedBook, neighbour: HTMLButtonElement | null): HTMLButtonElement | null => {
    neighbourButton.current = neighbour;
    undo.reset();
    setRestoration(undefined);
    flushSync(() => setDeleted(deleted));
    return undoButton.current;
  };

  const dismiss = (options?: FocusOptions) => {
    const neighbour = neighbourButton.current;
    if (neighbour?.isConnected) neighbour.focus(options);
    else focusHeading();
    setDeleted(undefined);
  };

  /** Tab goes on where the deleted row was, not at the end of the page, where the button is. Escape dismisses it. */
  const leaveUndo = (event: KeyboardEvent) => {
    const neighbour = neighbourButton.current;
    if (event.key === 'Escape') dismiss();
    else if (event.key === 'Tab' && neighbour?.isConnected) {
      event.preventDefault();
      (event.shiftKey ? buttonAbove(neighbour) : neighbour).focus();
    }
  };

  const undoNotice = (
    <div className={styles.position} role="status">
      {deleted && (
        <div className={styles.notice}>
          <p>
            {undo.isError ? (
              catalogueErrorMessage(undo.error, 'The book was not restored.')
            ) : (
              <>
                Deleted <cite dir="auto">{deleted.book.title}</cite>
              </>
            )}
          </p>
          <Button
            ref={undoButton}
            variant="subtle"
            isBusy={undo.isPending}
            onKeyDown={leaveUndo}
            onClick={() => undo.mutate(deleted)}
          >
            Undo
          </Button>
          {/* For pointers: the keyboard has Escape, and Tab leads back to the rows. */}
          <Button
            variant="subtle"
            aria-label="Dismiss"
            tabIndex={-1}
            onClick={() => dismiss({ preventScroll: true })}
          >
            ×
          </Button>
        </div>
      )}
    </div>
  );

  // In the list of a later search the row appears for another reason, and takes no focus.
  const restoredBook = restoration && restoration.search === search ? restoration.book : undefined;
  return { offerUndo, undoNotice, restoredBook };
};

const focusHeading = () => document.querySelector('h1')?.focus({ preventScroll: true });

/** @returns the button of the row above, or the same one in the first row. */
const buttonAbove = (button: HTMLButtonElement): HTMLButtonElement =>
  button.closest('tr')?.previousElementSibling?.querySelector('button') ?? button;
