import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder } from '../../../contract/desk/orders.ts';
import { ApiProblem, retryTransient } from '../../api/client.ts';
import { refetchBesideLists } from '../../api/desk-order-queries.ts';
import { changeLists, deskOrdersKey, type Filters, markOrders } from '../../api/desk-queries.ts';
import { UndoNotice } from '../../books/undo-notice.tsx';
import { withReason } from '../../components/with-reason.ts';

type Marking = { ids: string[]; isSent: boolean };
type MarkingOptions = {
  /** Called when the orders are marked. The element with the focus may go then. */
  onMarked?: () => void;
};

/**
 * Marks orders as sent, and back.
 * @returns `mark`; `isMarking`; and `markNotice`, the element that says what was marked, with a button that undoes it.
 */
export const useMarkOrders = () => {
  const queryClient = useQueryClient();
  const [done, setDone] = useState<Marking>();
  const marking = useMutation({
    mutationFn: (marking: Marking & MarkingOptions & { isUndo?: boolean }) => markOrders(marking),
    retry: retryTransient,
    onSuccess: async (marked, { ids, isSent, isUndo, onMarked }) => {
      setDone(isUndo ? undefined : { ids, isSent });
      await changeLists<DeskOrder>(queryClient, deskOrdersKey, withMarks(marked));
      void refetchBesideLists(queryClient);
      if (isUndo) await queryClient.invalidateQueries({ queryKey: deskOrdersKey });
      onMarked?.();
      focusHeadingIfLost();
    },
    onError: (error) => {
      // The lists do not say yet that an order was withdrawn.
      if (isWithdrawn(error)) void queryClient.invalidateQueries({ queryKey: deskOrdersKey });
    },
  });

  /** Those that are marked so already are left out: Undo would change them. */
  const mark = (orders: readonly DeskOrder[], isSent: boolean, options: MarkingOptions = {}) => {
    const before = isSent ? 'new' : 'sent';
    const ids = orders.filter(({ state }) => state === before).map(({ _id }) => _id);
    setDone(undefined);
    marking.mutate({ ids, isSent, ...options });
  };
  const undo = done && (() => marking.mutate({ ids: done.ids, isSent: !done.isSent, isUndo: true }));
  const markNotice = (
    <UndoNotice onUndo={marking.isError ? undefined : undo} isBusy={marking.isPending}>
      {messageOf(marking.error, done)}
    </UndoNotice>
  );
  return { mark, isMarking: marking.isPending, markNotice };
};

const isWithdrawn = (error: Error): boolean => error instanceof ApiProblem && error.code === 'WITHDRAWN';

const messageOf = (error: Error | null, done: Marking | undefined): ReactNode => {
  if (error && isWithdrawn(error)) return error.message;
  if (error) return withReason('The orders were not marked. Please try again.', error);
  return done && `Marked ${counted(done.ids.length, 'order')} as ${done.isSent ? 'sent' : 'new'}.`;
};

/** @returns what gives the orders of a list these marks, and leaves out those that its filter no longer has. */
const withMarks = (marked: readonly MarkedOrder[]) => {
  const sentAt = new Map(marked.map((order) => [order._id, order.sentAt]));
  return (orders: DeskOrder[], { state }: Filters): DeskOrder[] =>
    orders.flatMap((order) => {
      const mark = sentAt.get(order._id);
      if (mark === undefined) return order;
      return !state || (state === 'sent') === (mark !== null)
        ? { ...order, sentAt: mark, state: mark === null ? 'new' : 'sent' }
        : [];
    });
};

/** The element with the focus may be gone with the last row. */
const focusHeadingIfLost = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
  });
