import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder, MarkOrders } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { MarkedPaid, MarkPaid } from '../../../contract/desk/payments.ts';
import { send } from '../../api/calls.ts';
import type { Done } from '../acts.tsx';

/** The call can be repeated: an order that is already marked stays as it is. */
const sendMarks = (orders: readonly { _id: string }[], isSent: boolean) => {
  const json: MarkOrders = { ids: orders.map(({ _id }) => _id), isSent };
  return send<MarkedOrder[]>('POST', deskPaths.ordersSent, json);
};

/** Undo changes only the orders that this act has marked, and not those that another admin marked before. */
const mark =
  (isSent: boolean) =>
  async (orders: readonly DeskOrder[]): Promise<Done> => {
    const marked = (await sendMarks(orders, isSent)).filter(({ isChanged }) => isChanged);
    const state = isSent ? 'sent' : 'new';
    if (marked.length === 0) return { text: `No order was marked: they are ${state} already.` };
    const shown = new Map(orders.map((order) => [order._id, order]));
    const corrected = marked
      .filter(({ _id, addressCorrectedAt }) => addressCorrectedAt !== shown.get(_id)?.addressCorrectedAt)
      .map(({ _id }) => shown.get(_id)?.title);
    const isCorrected = `The address was corrected meanwhile: ${corrected.join(', ')}. Undo shows it.`;
    return {
      text: `Marked ${counted(marked.length, 'order')} as ${state}. ${corrected.length > 0 ? isCorrected : ''}`.trim(),
      undo: () => sendMarks(marked, !isSent),
    };
  };

const isDue = ({ payment }: DeskOrder): boolean => payment?.state === 'due';

const markAs = (state: 'sent' | 'new') => ({
  name: `Mark as ${state}`,
  where: (order: DeskOrder) => order.state === (state === 'sent' ? 'new' : 'sent') && !isDue(order),
  run: mark(state === 'sent'),
  problem: 'The orders were not marked. Please try again.',
});

export const markAsSent = { ...markAs('sent'), isMain: true };

const sendPaid = (orders: readonly { _id: string }[], isPaid: boolean) => {
  const json: MarkPaid = { ids: orders.map(({ _id }) => _id), isPaid };
  return send<MarkedPaid[]>('POST', deskPaths.ordersPaid, json);
};

/** For money that came by transfer or in cash. */
const markAsPaid = {
  name: 'Mark as paid',
  where: isDue,
  isMain: true,
  async run(orders: readonly DeskOrder[]): Promise<Done> {
    const marked = (await sendPaid(orders, true)).filter(({ isChanged }) => isChanged);
    if (marked.length === 0) return { text: 'No order was marked: they are due no longer.' };
    return {
      text: `Marked ${counted(marked.length, 'order')} as paid.`,
      undo: () => sendPaid(marked, false),
    };
  },
  problem: 'The orders were not marked. Please try again.',
};

export const marks = [markAsPaid, markAsSent, markAs('new')];
