import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { ApiProblem, retryTransient } from '../../api/client.ts';
import { showOrders } from '../../api/desk-order-queries.ts';
import { deskOrdersKey, markOrders } from '../../api/desk-queries.ts';
import { UndoNotice } from '../../books/undo-notice.tsx';
import { withReason } from '../../components/with-reason.ts';

/** Orders as they were listed. */
type Marking = { orders: readonly DeskOrder[]; isSent: boolean };
/** `corrected` has the titles of those whose address was another one by then. */
type Marked = Marking & { corrected: readonly string[] };
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
  const [done, setDone] = useState<Marked>();
  const marking = useMutation({
    mutationFn: ({ orders, isSent }: Marking & MarkingOptions & { isUndo?: boolean }) =>
      markOrders({ ids: orders.map(({ _id }) => _id), isSent }),
    retry: retryTransient,
    onSuccess: async (marked, { orders, isSent, isUndo, onMarked }) => {
      const correctedAt = new Map(marked.map((order) => [order._id, order.addressCorrectedAt]));
      const corrected = orders
        .filter(({ _id, addressCorrectedAt }) => {
          const at = correctedAt.get(_id);
          return at && at !== addressCorrectedAt;
        })
        .map(({ title }) => title);
      setDone(isUndo ? undefined : { orders, isSent, corrected });
      await showOrders(
        queryClient,
        marked.map(({ _id, sentAt }) => ({ _id, sentAt, state: sentAt === null ? 'new' : 'sent' })),
      );
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
  const mark = (listed: readonly DeskOrder[], isSent: boolean, options: MarkingOptions = {}) => {
    const before = isSent ? 'new' : 'sent';
    const orders = listed.filter(({ state }) => state === before);
    setDone(undefined);
    marking.mutate({ orders, isSent, ...options });
  };
  const undo = done && (() => marking.mutate({ ...done, isSent: !done.isSent, isUndo: true }));
  const markNotice = (
    <UndoNotice onUndo={marking.isError ? undefined : undo} isBusy={marking.isPending}>
      {messageOf(marking.error, done)}
    </UndoNotice>
  );
  return { mark, isMarking: marking.isPending, markNotice };
};

const isWithdrawn = (error: Error): boolean => error instanceof ApiProblem && error.code === 'WITHDRAWN';

const messageOf = (error: Error | null, done: Marked | undefined): ReactNode => {
  if (error && isWithdrawn(error)) return error.message;
  if (error) return withReason('The orders were not marked. Please try again.', error);
  if (!done) return undefined;
  const { orders, isSent, corrected } = done;
  const marked = `Marked ${counted(orders.length, 'order')} as ${isSent ? 'sent' : 'new'}.`;
  return corrected.length === 0
    ? marked
    : `${marked} The address was corrected meanwhile: ${corrected.join(', ')}. Undo shows it.`;
};

/** The element with the focus may be gone with the last row. */
const focusHeadingIfLost = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
  });
