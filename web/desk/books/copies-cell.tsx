import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { changeCopies, deskBooksKey, replaceInLists } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { withReason } from '../../components/with-reason.ts';
import styles from './books.module.css';

type CopiesCellProps = { book: DeskBook; onDone: (message: string) => void };

/** The number of copies, with buttons that count one. A change is never sent again by itself: it would count twice. */
export const CopiesCell = ({ book, onDone }: CopiesCellProps) => {
  const { _id: id, title, copies } = book;
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (by: number) => changeCopies(id, by),
    onSuccess: async (changed, by) => {
      await replaceInLists(queryClient, deskBooksKey, changed);
      const now = changed.copies ?? 0;
      onDone(`${title}: ${now - by} → ${now} ${now === 1 ? 'copy' : 'copies'}.`);
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: deskBooksKey });
      onDone(withReason('The copies may not have been changed: look at their number.', error));
    },
  });
  if (copies === null) return <span className={styles.unlimited}>unlimited</span>;
  return (
    <span className={styles.copies}>
      {copies === 0 ? 'Sold out' : copies}
      <Button
        variant="subtle"
        aria-label={`+1: ${title}`}
        isBusy={change.isPending}
        onClick={() => change.mutate(1)}
      >
        +1
      </Button>
      {copies > 0 && (
        <Button
          variant="subtle"
          aria-label={`Sold elsewhere: ${title}`}
          isBusy={change.isPending}
          onClick={() => change.mutate(-1)}
        >
          Sold elsewhere
        </Button>
      )}
    </span>
  );
};
