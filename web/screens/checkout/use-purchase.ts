import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Book } from '../../../contract/book.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ApiProblem, isPassing, retryPassing } from '../../api.ts';
import { bookQuery, ordersKey, placeOrder } from '../../queries.ts';
import { tabMemory } from '../../tab-memory.ts';
import { closeAttempt, markSent, type OrderedBook, openAttempt } from './attempt.ts';

/**
 * What the visitor sees of a purchase: the order as it will be posted, whether its price is another than the one that
 * was refused last, how it goes, and the way to place it.
 */
export const usePurchase = (book: Book, customer: SignedIn) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [attempt, setAttempt] = useState(() => openFor(book, customer));
  const [hasNewPrice, setHasNewPrice] = useState(false);

  const mutationKey = ['purchase', book._id];
  const order = useMutation({
    mutationKey,
    mutationFn: () => {
      markSent(tabMemory, book._id, attempt);
      return placeOrder({ ...customer, ...attempt.ordered }, attempt.key);
    },
    retry: retryPassing,
    onSuccess: () => {
      closeAttempt(tabMemory, book._id);
      queryClient.removeQueries({ queryKey: ordersKey });
    },
    onError: async (error) => {
      if (!isRefusal(error)) return;
      closeAttempt(tabMemory, book._id);
      const now = await queryClient.fetchQuery(bookQuery(book._id)).catch(() => book);
      const next = openFor(now, customer);
      setHasNewPrice(next.ordered.price !== attempt.ordered.price);
      setAttempt(next);
    },
  });

  const place = () => {
    // Asked of the client, not of the last render: two clicks may come before the button is seen as busy.
    if (queryClient.isMutating({ mutationKey }) > 0) return;
    // Replaced, so that Back does not lead to a checkout that is done. A visitor who has left is not called back.
    order.mutate(undefined, { onSuccess: () => navigate('/orders', { replace: true }) });
  };

  return { attempt, hasNewPrice, place, isPending: order.isPending, error: order.error };
};

const openFor = (book: Book, customer: SignedIn) =>
  openAttempt(tabMemory, book._id, customer.email, orderOf(book, new Date()));

const orderOf = (book: Book, now: Date): OrderedBook => ({
  title: book.title,
  author: book.author,
  price: book.price.value,
  time: now.toDateString(),
});

/** The store has said no for good. Without a session (401) it has not looked at the order at all. */
const isRefusal = (error: Error): boolean =>
  error instanceof ApiProblem && !isPassing(error) && error.status !== 401;
