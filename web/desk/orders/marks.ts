import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { send } from '../../api/calls.ts';
import { asksAddress } from '../../store-config.ts';
import type { Done } from '../acts.tsx';

type Marked = Pick<MarkedOrder, '_id' | 'isChanged'> & Partial<MarkedOrder>;
type Marks = (orders: readonly { _id: string }[], isDone: boolean) => Promise<Marked[]>;

/** A repeated call is safe: an order that is already marked stays as it is. */
const call =
  (path: string, member: 'isSent' | 'isPaid', more = {}): Marks =>
  (orders, isDone) =>
    send('POST', path, { ids: orders.map(({ _id }) => _id), [member]: isDone, ...more });

const markSent = (tracking?: string) => call(deskPaths.ordersSent, 'isSent', { tracking });

/** Undo changes only the orders that this act has marked, and not those that another admin marked before. */
const markAs = (state: string, where: (order: DeskOrder) => boolean, mark: Marks) => ({
  name: `Mark as ${state}`,
  state,
  where,
  async run(orders: readonly DeskOrder[]): Promise<Done> {
    const marked = (await mark(orders, true)).filter(({ isChanged }) => isChanged);
    if (marked.length === 0) return { text: `No order was marked: they are ${state} already.` };
    const shown = new Map(orders.map((order) => [order._id, order]));
    const corrected = marked
      .filter(({ _id, addressCorrectedAt: at }) => at && at !== shown.get(_id)?.addressCorrectedAt)
      .map(({ _id }) => shown.get(_id)?.title);
    const isCorrected = `The address was corrected meanwhile: ${corrected.join(', ')}. Undo shows it.`;
    return {
      text: `Marked ${counted(marked.length, 'order')} as ${state}. ${corrected.length > 0 ? isCorrected : ''}`.trim(),
      undo: () => mark(marked, false),
    };
  },
  problem: 'The orders were not marked. Please try again.',
});

const isDue = ({ payment }: DeskOrder): boolean => payment?.state === 'due';
const isSent = ({ state }: DeskOrder): boolean => state === 'sent';

export const isToBeSent = (order: DeskOrder): boolean => order.state === 'new' && !isDue(order);

const goesOut = (asks: boolean) => (order: DeskOrder) => isToBeSent(order) && asksAddress(order) === asks;
export const markAsSentWith = (tracking?: string) => markAs('sent', goesOut(true), markSent(tracking));
export const markAsSent = { ...markAsSentWith(), isMain: true };
export const markAsHandedOver = { ...markAs('handed over', goesOut(false), markSent()), isMain: true };
const markAsNew = markAs('new', isSent, (orders, isDone) => markSent()(orders, !isDone));
/** The mark is for money that came by transfer or in cash. */
const markAsPaid = { ...markAs('paid', isDue, call(deskPaths.ordersPaid, 'isPaid')), isMain: true };

export const marks = [markAsPaid, markAsSent, markAsHandedOver, markAsNew];
