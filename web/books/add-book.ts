import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewBook } from '../../contract/book.ts';
import type { BookTexts } from '../../contract/book-fields.ts';
import { addBook } from '../api/changes.ts';
import { isRateLimited, isTransient, retryTransient } from '../api/client.ts';
import { withReason } from '../components/with-reason.ts';
import { randomId } from '../memory/platform.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { newBookFrom } from './book-texts.ts';
import { removeDraft } from './drafts.ts';

/** Adds a book once, however often it is sent, and then removes its draft. */
export const useAddBook = (draftId: string, onAdded: (texts: BookTexts) => void) => {
  const queryClient = useQueryClient();
  const mutationKey = ['add book', draftId];
  const adding = useMutation({
    mutationKey,
    mutationFn: (texts: BookTexts) => {
      const book = newBookFrom(texts);
      return addBook(book, idempotencyKeyFor(book));
    },
    retry: retryTransient,
    onSuccess: (_, texts) => {
      // After this, an equal book counts as another book.
      tabStorage.remove(sentBookKey);
      removeDraft(draftId);
      onAdded(texts);
    },
  });
  const add = (texts: BookTexts) => {
    // A double click submits a second time before the button is rendered as busy.
    if (queryClient.isMutating({ mutationKey }) === 0) adding.mutate(texts);
  };
  return { add, adding };
};

const sentBookKey = 'new-book-attempt';

/**
 * @returns the Idempotency-Key to send a book with: that of the last book that was sent if it is the same, so that a retry, also
 * after a reload or a sign-in, adds it once.
 */
const idempotencyKeyFor = (book: NewBook): string => {
  const json = JSON.stringify(book);
  const last = tabStorage.read<{ key: string; book: string }>(sentBookKey);
  if (last?.book === json) return last.key;
  const key = randomId();
  tabStorage.write(sentBookKey, { key, book: json });
  return key;
};

export const additionMessage = (error: Error): string =>
  withReason(
    // After a failure, the store may still have added the book.
    isTransient(error) && !isRateLimited(error)
      ? 'We have not heard whether the book was added. Trying again does not add it twice.'
      : 'The book was not added.',
    error,
  );
