import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { BookTexts } from '../../contract/book-fields.ts';
import { addBook } from '../api/catalogue.ts';
import { ApiProblem, isRateLimited, isTransient, retryTransient } from '../api/client.ts';
import { newBookFrom } from './book-texts.ts';
import { catalogueErrorMessage } from './catalogue-error-message.ts';
import { type Drafts, forgetSentBook, idempotencyKeyFor, newBookId } from './drafts.ts';

/** Adds a book, however often it is sent, once; its draft goes then. */
export const useAddBook = (drafts: Drafts, onAdded: (texts: BookTexts) => void) => {
  const isUnderWay = useRef(false);
  const adding = useMutation({
    mutationFn: (texts: BookTexts) => {
      const book = newBookFrom(texts);
      return addBook(book, idempotencyKeyFor(book));
    },
    retry: retryTransient,
    onSuccess: (_, texts) => {
      forgetSentBook();
      drafts.remove(newBookId);
      onAdded(texts);
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  const add = (texts: BookTexts) => {
    // A double click submits twice before the button is rendered as busy.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    adding.mutate(texts);
  };
  return { add, adding };
};

export const additionMessage = (error: Error): string => catalogueErrorMessage(error, messageFor(error));

const messageFor = (error: Error): string => {
  if (isRateLimited(error)) return 'The book was not added.';
  // After a transient error the store may have added the book all the same.
  return error instanceof ApiProblem && !isTransient(error)
    ? 'The book was not added. Please try again.'
    : 'We have not heard whether the book was added. Trying again does not add it twice.';
};
