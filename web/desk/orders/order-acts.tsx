/** The acts of the owner on orders: marks of what was sent and paid, withdrawals, and refunds. */
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder, MarkedOrder, Settlement } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { sumOf } from '../../../contract/money.ts';
import { send } from '../../api/calls.ts';
import { Lines } from '../../components/lines.tsx';
import { WithdrawalForm } from '../../components/order-forms.tsx';
import { Price } from '../../components/price.tsx';
import { asksAddress, money, storeConfig } from '../../store-config.ts';
import { ActButton, ActTick, type Done, useTell } from '../acts.tsx';
import { buyerName, isCancelled } from '../order-columns.tsx';
import { Time } from '../time.tsx';

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

/** Withdraws an order for its buyer, or cancels an order that is not sent. */
export const TakeBack = ({ order: { _id, state, title, buyer, total } }: { order: DeskOrder }) => {
  const tell = useTell();
  const isCancelling = state === 'new';
  return (
    <WithdrawalForm
      opener={isCancelling ? 'Cancel the order' : 'Withdraw the order'}
      confirm={isCancelling ? 'Confirm cancellation' : 'Confirm withdrawal'}
      title={`${title}, for ${buyerName(buyer)}`}
      send={async (reason) => {
        await send('POST', deskPaths.orderWithdraw(_id), reason.trim() ? { reason } : {});
        await tell({ text: isCancelling ? 'Cancelled.' : 'Withdrawn.' });
      }}
    >
      {isCancelling ? 'This cancels the order of' : 'This withdraws the order of'}{' '}
      <cite dir="auto">{title}</cite> for <Price value={total} />. It cannot be undone.
      {buyer.email && storeConfig.mail === 'sent' && ' The buyer gets a mail, with the reason.'}
    </WithdrawalForm>
  );
};

/** Shows who withdrew an order, with checkboxes for what the owner has done since. */
export const Withdrawn = ({ order }: { order: DeskOrder }) => {
  const { title, sentAt, withdrawnAt, withdrawnBy, withdrawalReason, returnedAt } = order;
  return (
    <div className="soft">
      <p>
        {isCancelled(order) ? 'Cancelled' : 'Withdrawn'} {withdrawnAt && <Time iso={withdrawnAt} />}, by the{' '}
        {withdrawnBy === 'shop' ? 'shop' : 'buyer'}
      </p>
      <Lines text={withdrawalReason} />
      <div className="cluster">
        <Refund order={order} />
        {sentAt !== null && (
          <ActTick
            name="Returned"
            what={title}
            isSet={returnedAt !== null}
            run={() => sendSettlement(order, { isReturned: returnedAt === null })}
          />
        )}
      </div>
    </div>
  );
};

const sendSettlement = ({ _id }: DeskOrder, settlement: Settlement): Promise<void> =>
  send('POST', deskPaths.orderSettle(_id), settlement, { keepalive: true });

/** The sum that the buyer is to get back: all that came for a withdrawn or cancelled order, what came beside the total for another one. */
const amountToRefund = ({ state, total, payment }: DeskOrder): number => {
  if (!payment || payment.state === 'due') return 0;
  const isKept = payment.state === 'paid' && state !== 'withdrawn' && state !== 'cancelled';
  return sumOf([payment.paid, -payment.refunded, isKept ? -total : 0]);
};

/** Shows if the buyer has the money back, in a row without words. The provider that took it sends it; the owner sends that of a transfer, and ticks it off. */
export const Refund = ({ order, isBrief = false }: { order: DeskOrder; isBrief?: boolean }) => {
  const { title, number, state, payment, refundedAt } = order;
  const amount = amountToRefund(order);
  const isOwed = amount > 0;
  if (!isOwed && state !== 'withdrawn') return null;
  if (!isOwed && payment?.state === 'expired') return <span>Nothing was paid</span>;
  // A payment that came too late has no way: the store has refunded it, unless it was a transfer.
  const isByHand =
    !payment || ['transfer', 'hand'].includes(payment.way ?? '') || (isOwed && payment.way === null);
  if (isByHand) {
    return (
      <div>
        {isOwed && !isBrief && (
          <p>
            Send <Price value={amount} /> back to the account that it came from, with the reference{' '}
            <strong>{number}</strong>.
          </p>
        )}
        <ActTick
          name="Refunded"
          what={title}
          isSet={!isOwed && refundedAt !== null}
          run={() => sendSettlement(order, { isRefunded: isOwed || refundedAt === null })}
        />
      </div>
    );
  }
  if (!isOwed) return <span>Refunded {refundedAt && <Time iso={refundedAt} />}</span>;
  const sum = money.format(amount);
  return (
    <ActButton
      name={`Refund ${sum}`}
      what={title}
      variant={isBrief ? 'subtle' : 'secondary'}
      question={`Send ${sum} back to the buyer of “${title}”? It cannot be undone.`}
      run={async () => {
        await sendSettlement(order, { isRefunded: true });
        return { text: `Refunded ${sum}.` };
      }}
      problem="It was not refunded."
    />
  );
};
