import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Book } from '../../../contract/book.ts';
import { cataloguesKey, homeKey } from '../../api/catalogue.ts';
import { removeBook, restoreBook, takeFromLists } from '../../api/changes.ts';
import { retryTransient } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { notify } from '../../components/notify.tsx';
import { withReason } from '../../components/with-reason.ts';

const buttonOf = (id: string | undefined) => document.getElementById(`delete-${id}`);

type DeleteRowProps = {
  book: Book;
  neighbourId: string | undefined;
};

/** The Delete button of a row in the catalogue's table. A click deletes the book at once; Undo restores it. */
export const DeleteRow = ({ book, neighbourId }: DeleteRowProps) => {
  const queryClient = useQueryClient();
  const { _id: id, title } = book;
  const deletion = useMutation({
    mutationFn: () => removeBook(id),
    retry: retryTransient,
    onSuccess: async () => {
      // The button is removed with its row. The focus moves to Undo, and Tab leads from there back to the rows.
      const hadFocus = document.activeElement === buttonOf(id);
      await takeFromLists(queryClient, cataloguesKey, id);
      queryClient.removeQueries({ queryKey: homeKey });
      notify({
        text: (
          <>
            Deleted <cite dir="auto">{title}</cite>
          </>
        ),
        undo: restore,
        ...(hadFocus && { beside: buttonOf(neighbourId) }),
      });
    },
    onError: (error) => notify({ text: withReason('The book was not deleted.', error) }),
  });
  const restore = async () => {
    await restoreBook(id);
    queryClient.removeQueries({ queryKey: homeKey });
    await queryClient.invalidateQueries({ queryKey: cataloguesKey });
    // If the view shows the row, it is rendered before the task that follows.
    await new Promise((resolve) => setTimeout(resolve));
    buttonOf(id)?.focus();
  };
  return (
    <Button
      id={`delete-${id}`}
      variant="subtle"
      aria-label={`Delete: ${title}`}
      isBusy={deletion.isPending}
      onClick={() => deletion.mutate()}
    >
      Delete
    </Button>
  );
};
