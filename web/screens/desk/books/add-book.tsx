import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isTransient, retryTransient } from '../../../api/client.ts';
import { deskBooksKey } from '../../../api/desk-queries.ts';
import { addBook } from '../../../api/queries.ts';
import { withReason } from '../../../components/with-reason.ts';
import { forgetSentBook, idempotencyKeyFor } from '../../admin/draft.ts';
import { Panel } from '../panel.tsx';
import { mayDiscard, removeDraft } from './book-drafts.ts';
import { BookForm } from './book-form.tsx';
import { type BookTexts, emptyTexts, newBookOf } from './book-texts.ts';
import { useTyping } from './use-typing.ts';

/** In place of a book's id: in the address, and for the draft. Ids have letters, digits, `-` and `_` alone. */
export const newBookId = '+';

/** The panel in which a book is added. @param onClose gets what to say about it; nothing when none was added. */
export const AddBook = ({ onClose }: { onClose: (message?: string) => void }) => {
  const queryClient = useQueryClient();
  const typing = useTyping(newBookId, emptyTexts);
  const adding = useMutation({
    mutationFn: (texts: BookTexts) => {
      const book = newBookOf(texts);
      return addBook(book, idempotencyKeyFor(book));
    },
    retry: retryTransient,
    onSuccess: async (_, { title }) => {
      forgetSentBook();
      removeDraft(newBookId);
      onClose(`Added ${title.trim()}: it is for sale.`);
      await queryClient.invalidateQueries({ queryKey: deskBooksKey });
    },
  });
  return (
    <Panel heading="Add a book" mayClose={() => mayDiscard(newBookId)} onClose={() => onClose()}>
      <BookForm
        typing={typing}
        saving={adding}
        submitName="Add the book"
        messageOf={messageOf}
        onSubmit={() => adding.mutate(typing.typed)}
        onCancel={() => mayDiscard(newBookId) && onClose()}
      />
    </Panel>
  );
};

const messageOf = (error: Error): string =>
  withReason(
    isTransient(error)
      ? 'We have not heard whether the book was added. Trying again does not add it twice.'
      : 'The book was not added. Please try again.',
    error,
  );
