import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder } from '../../../contract/desk/orders.ts';
import type { ActOnRows, Done } from '../acts.tsx';
import { markSent } from './api.ts';

const mark =
  (isSent: boolean) =>
  async (orders: readonly DeskOrder[]): Promise<Done> => {
    const marked = await markSent(orders, isSent);
    const text = `Marked ${counted(orders.length, 'order')} as ${isSent ? 'sent' : 'new'}.`;
    const corrected = correctedSince(orders, marked);
    return {
      text: corrected ? `${text} The address was corrected meanwhile: ${corrected}. Undo shows it.` : text,
      undo: () => markSent(orders, !isSent),
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

const problem = 'The orders were not marked. Please try again.';

export const markAsSent = {
  name: 'Mark as sent',
  where: ({ state }: DeskOrder) => state === 'new',
  run: mark(true),
  problem,
  isMain: true,
};

export const marks: readonly ActOnRows<DeskOrder>[] = [
  markAsSent,
  { name: 'Mark as new', where: ({ state }) => state === 'sent', run: mark(false), problem },
];
