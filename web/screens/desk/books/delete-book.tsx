import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeskBook } from '../../../../contract/desk-books.ts';
import { retryTransient } from '../../../api/client.ts';
import { removeBook } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { withReason } from '../../../components/with-reason.ts';
import { mayDiscard } from './book-drafts.ts';
import { takeOut } from './book-lists.ts';
import styles from './delete-book.module.css';

type DeleteBookProps = { book: DeskBook; onDeleted: (book: DeskBook) => void };

/** Takes the book out of sale at once, without a question: {@link BookNotice} has Undo. */
export const DeleteBook = ({ book, onDeleted }: DeleteBookProps) => {
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => removeBook(book._id),
    retry: retryTransient,
    onSuccess: async () => {
      await takeOut(queryClient, book._id);
      onDeleted(book);
    },
  });
  return (
    <>
      <div className={styles.delete}>
        <Button
          variant="subtle"
          isBusy={deletion.isPending}
          onClick={() => mayDiscard(book._id) && deletion.mutate()}
        >
          Delete
        </Button>
      </div>
      {deletion.isError && (
        <p className={styles.problem} role="alert">
          {withReason('The book was not deleted.', deletion.error)}
        </p>
      )}
    </>
  );
};
