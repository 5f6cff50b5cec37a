import { useMutation, useQueryClient } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder } from '../../../contract/desk/orders.ts';
import { ApiProblem, retryTransient } from '../../api/client.ts';
import { showOrders } from '../../api/desk-order-queries.ts';
import { deskOrdersKey, markOrders } from '../../api/desk-queries.ts';
import { notify } from '../../components/notify.tsx';
import { focusHeading } from '../../components/screen-heading.tsx';
import { withReason } from '../../components/with-reason.ts';

/** Orders as they were listed. */
type Marking = { orders: readonly DeskOrder[]; isSent: boolean };
type MarkingOptions = {
  /** Called when the orders are marked. The element with the focus may go then. */
  onMarked?: () => void;
};

const markAll = ({ orders, isSent }: Marking) => markOrders({ ids: orders.map(({ _id }) => _id), isSent });

/** Marks orders as sent, and back. The notice says what was marked. */
export const useMarkOrders = () => {
  const queryClient = useQueryClient();
  const show = (marked: readonly MarkedOrder[]) =>
    showOrders(
      queryClient,
      marked.map(({ _id, sentAt }) => ({ _id, sentAt, state: sentAt === null ? 'new' : 'sent' })),
    );
  const undo = async ({ orders, isSent }: Marking) => {
    await show(await markAll({ orders, isSent: !isSent }));
    await queryClient.invalidateQueries({ queryKey: deskOrdersKey });
  };
  const marking = useMutation({
    mutationFn: (all: Marking & MarkingOptions) => markAll(all),
    retry: retryTransient,
    onSuccess: async (marked, { onMarked, ...all }) => {
      await show(marked);
      notify({ text: textOf(all, marked), undo: () => undo(all) });
      onMarked?.();
      focusHeadingIfLost();
    },
    onError: (error) => {
      notify({ text: messageOf(error) });
      // The lists do not say yet that an order was withdrawn.
      if (isWithdrawn(error)) void queryClient.invalidateQueries({ queryKey: deskOrdersKey });
    },
  });

  /** Those that are marked so already are left out: Undo would change them. */
  const mark = (listed: readonly DeskOrder[], isSent: boolean, options: MarkingOptions = {}) => {
    const before = isSent ? 'new' : 'sent';
    const orders = listed.filter(({ state }) => state === before);
    notify(undefined);
    marking.mutate({ orders, isSent, ...options });
  };
  return { mark, isMarking: marking.isPending };
};

const isWithdrawn = (error: Error): boolean => error instanceof ApiProblem && error.code === 'WITHDRAWN';

const messageOf = (error: Error): string =>
  isWithdrawn(error) ? error.message : withReason('The orders were not marked. Please try again.', error);

const textOf = ({ orders, isSent }: Marking, marked: readonly MarkedOrder[]): string => {
  const correctedAt = new Map(marked.map((order) => [order._id, order.addressCorrectedAt]));
  const corrected = orders.filter(({ _id, addressCorrectedAt }) => {
    const at = correctedAt.get(_id);
    return at && at !== addressCorrectedAt;
  });
  const text = `Marked ${counted(orders.length, 'order')} as ${isSent ? 'sent' : 'new'}.`;
  const titles = corrected.map(({ title }) => title).join(', ');
  return titles ? `${text} The address was corrected meanwhile: ${titles}. Undo shows it.` : text;
};

/** The element with the focus may be gone with the last row. */
const focusHeadingIfLost = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusHeading();
  });
