import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder, MarkOrders } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { send } from '../../api/calls.ts';
import type { Done } from '../acts.tsx';

/** One that is marked already stays as it is, so the call can be repeated. */
const sendMarks = (orders: readonly { _id: string }[], isSent: boolean) => {
  const json: MarkOrders = { ids: orders.map(({ _id }) => _id), isSent };
  return send<MarkedOrder[]>('POST', deskPaths.ordersSent, json);
};

/** Undo leaves the orders alone that were marked before, such as by another admin. */
const mark =
  (isSent: boolean) =>
  async (orders: readonly DeskOrder[]): Promise<Done> => {
    const marked = (await sendMarks(orders, isSent)).filter(({ isChanged }) => isChanged);
    const state = isSent ? 'sent' : 'new';
    if (marked.length === 0) return { text: `No order was marked: they are ${state} already.` };
    const corrected = correctedSince(orders, marked);
    return {
      text: `Marked ${counted(marked.length, 'order')} as ${state}.${corrected && ` The address was corrected meanwhile: ${corrected}. Undo shows it.`}`,
      undo: () => sendMarks(marked, !isSent),
    };
  };

/** @returns the titles of the orders whose address is not the one any more that was shown. */
const correctedSince = (orders: readonly DeskOrder[], marked: readonly MarkedOrder[]): string =>
  orders
    .filter(({ _id, addressCorrectedAt }) => {
      const at = marked.find((order) => order._id === _id)?.addressCorrectedAt;
      return at && at !== addressCorrectedAt;
    })
    .map(({ title }) => title)
    .join(', ');

const markAs = (state: 'sent' | 'new') => ({
  name: `Mark as ${state}`,
  where: (order: DeskOrder) => order.state === (state === 'sent' ? 'new' : 'sent'),
  run: mark(state === 'sent'),
  problem: 'The orders were not marked. Please try again.',
});

export const markAsSent = { ...markAs('sent'), isMain: true };
export const marks = [markAsSent, markAs('new')];
