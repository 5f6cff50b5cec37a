import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DeskOrder, MarkedOrder } from '../../../../contract/desk-orders.ts';
import { retryTransient } from '../../../api/client.ts';
import { type DeskPage, deskOrdersKey, markOrders } from '../../../api/desk-queries.ts';
import { withReason } from '../../../components/with-reason.ts';
import { UndoNotice } from '../undo-notice.tsx';

type Marking = { ids: string[]; isSent: boolean };
type MarkingOptions = {
  /** Called when the orders are marked. What has the focus may go then. */
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
      // A response that is still on its way may have the orders as they were.
      await queryClient.cancelQueries({ queryKey: deskOrdersKey });
      if (isUndo) {
        await queryClient.invalidateQueries({ queryKey: deskOrdersKey });
      } else {
        queryClient.setQueriesData<InfiniteData<DeskPage<DeskOrder>>>(
          { queryKey: deskOrdersKey },
          (list) => list && withMarks(list, marked),
        );
      }
      onMarked?.();
      focusHeadingIfLost();
    },
  });

  /** Those that are marked so already are left out: Undo would change them. */
  const mark = (orders: readonly DeskOrder[], isSent: boolean, options: MarkingOptions = {}) => {
    const ids = orders.filter(({ sentAt }) => (sentAt !== null) !== isSent).map(({ _id }) => _id);
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

const messageOf = (error: Error | null, done: Marking | undefined): ReactNode => {
  if (error) return withReason('The orders were not marked. Please try again.', error);
  return done && `Marked ${countOf(done.ids.length)} as ${done.isSent ? 'sent' : 'new'}.`;
};

/** @returns such as `1 order`. */
export const countOf = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'order' : 'orders'}`;

/** @returns the list with these marks, without the orders that its filter no longer has. */
const withMarks = (
  list: InfiniteData<DeskPage<DeskOrder>>,
  marked: readonly MarkedOrder[],
): InfiniteData<DeskPage<DeskOrder>> => {
  const sentAt = new Map(marked.map((order) => [order._id, order.sentAt]));
  const pages = list.pages.map((page) => {
    const { state } = page.filters;
    const body = page.body
      .map((order) => {
        const mark = sentAt.get(order._id);
        return mark === undefined ? order : { ...order, sentAt: mark };
      })
      .filter((order) => !sentAt.has(order._id) || !state || (state === 'sent') === (order.sentAt !== null));
    return { ...page, body };
  });
  return { ...list, pages };
};

/** What had the focus may be gone with the last row. */
const focusHeadingIfLost = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
  });
