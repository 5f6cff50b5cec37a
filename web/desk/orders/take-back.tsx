import type { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { sumOf } from '../../../contract/money.ts';
import { send } from '../../api/calls.ts';
import { Lines } from '../../components/lines.tsx';
import { WithdrawalForm } from '../../components/order-forms.tsx';
import { Price } from '../../components/price.tsx';
import { money, storeConfig } from '../../store-config.ts';
import { ActButton, ActTick, useTell } from '../acts.tsx';
import { buyerName, isCancelled } from '../order-columns.tsx';
import { Time } from '../time.tsx';

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
