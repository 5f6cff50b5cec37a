import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Book } from '../../../contract/book.ts';
import { retryTransient } from '../../api/client.ts';
import { bookListsKey, catalogueQuery, restoreBook } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { errorMessage } from './error-message.ts';
import styles from './last-deleted.module.css';

/**
 * Remembers the book that was deleted last, and a line that says so and can take it back. `returning` is one whose row is
 * to take the focus over when it is back.
 */
export const useLastDeleted = () => {
  const queryClient = useQueryClient();
  const [deleted, setDeleted] = useState<Book>();
  const [returning, setReturning] = useState<Book>();
  const undo = useRef<HTMLButtonElement>(null);
  const restoration = useMutation({
    mutationFn: (book: Book) => restoreBook(book._id),
    retry: retryTransient,
    onSuccess: async (_, restored) => {
      // The focus waits on the button, which is busy until the row is back, and goes on from there.
      if (document.activeElement === undo.current) setReturning(restored);
      queryClient.removeQueries({ queryKey: bookListsKey });
      await queryClient.invalidateQueries({ queryKey: catalogueQuery.queryKey });
      setDeleted((latest) => (latest === restored ? undefined : latest));
    },
  });

  /** Answers the button that takes it back. */
  const remember = (book: Book): HTMLButtonElement | null => {
    restoration.reset();
    setReturning(undefined);
    flushSync(() => setDeleted(book));
    return undo.current;
  };

  const line = (
    <div className={styles.line} role="status">
      {deleted && (
        <div className={styles.slip}>
          <p>
            {restoration.isError ? (
              errorMessage(restoration.error, 'The book was not restored.')
            ) : (
              <>
                Deleted <cite dir="auto">{deleted.title}</cite>
              </>
            )}
          </p>
          <Button
            ref={undo}
            weight="slight"
            isBusy={restoration.isPending}
            onClick={() => restoration.mutate(deleted)}
          >
            Undo
          </Button>
        </div>
      )}
    </div>
  );

  return { remember, returning, line };
};
