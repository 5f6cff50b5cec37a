import { useState } from 'react';
import type { Order, WithdrawnOrder } from '../../../contract/order.ts';
import { withdrawOrder } from '../../api/orders.ts';
import { dayText, longDays, utcDayText } from '../../components/days.ts';
import { WithdrawalForm } from '../../components/order-forms.tsx';
import { Price } from '../../components/price.tsx';
import { useSession } from '../../session/session.ts';
import { asksAddress, storeConfig } from '../../store-config.ts';

type StateOfOrderProps = { order: Order; onWithdrawn: (withdrawn: WithdrawnOrder) => Promise<void> };

/** The state of an order, and the form that withdraws it, for as long as its buyer may. */
export const StateOfOrder = ({ order, onWithdrawn }: StateOfOrderProps) => {
  const { title, author, total, time, sentAt, withdrawUntil, withdrawnAt } = order;
  const [isJustWithdrawn, setIsJustWithdrawn] = useState(false);
  const withdraw = async (reason: string) => {
    const withdrawn = await withdrawOrder(order._id, reason);
    setIsJustWithdrawn(true);
    await onWithdrawn(withdrawn);
  };
  return (
    <>
      {(sentAt || isKept(order)) && <p>{sentText(order)}</p>}
      {withdrawnAt && isJustWithdrawn && <Acknowledgement at={withdrawnAt} />}
      {!isKept(order) && !isJustWithdrawn && (
        <p>
          {endText(order)}
          {withdrawnAt && ` on ${times.format(new Date(withdrawnAt))}`}
        </p>
      )}
      {withdrawUntil && !withdrawnAt && (
        <WithdrawalForm
          opener="Withdraw from contract"
          confirm="Confirm withdrawal"
          title={title}
          send={withdraw}
        >
          You are withdrawing from your purchase of <cite dir="auto">{title}</cite> by{' '}
          <span dir="auto">{author}</span>, bought on {longDays.format(new Date(time))} for{' '}
          <Price value={total} />.{sentAt && ` You can until ${utcDayText(withdrawUntil)}.`}
        </WithdrawalForm>
      )}
    </>
  );
};

/** @returns what has become of a kept order, such as `Sent 28 Nov`. */
export const sentText = (order: Order): string => {
  const { sentAt, payment } = order;
  if (payment?.state === 'due') return 'To be paid';
  const gone = asksAddress(order) ? 'Sent' : 'Handed over';
  return sentAt ? `${gone} ${dayText(new Date(sentAt))}` : `Not ${gone.toLowerCase()} yet`;
};

/** The time of a withdrawal has seconds, on the clock of the browser. */
const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** Takes the focus, because the form that had it is gone. */
const Acknowledgement = ({ at }: { at: string }) => {
  const { data: customer } = useSession();
  return (
    <div ref={takeFocus} className="edge" role="status" tabIndex={-1}>
      <p>
        You have withdrawn from this contract. Your withdrawal arrived on {times.format(new Date(at))}.{' '}
        {storeConfig.mail === 'sent' && !customer?.hasNoReceipts
          ? 'We’ll e-mail you a confirmation.'
          : 'Please print or save this page as your confirmation.'}
      </p>
    </div>
  );
};

const takeFocus = (element: HTMLElement | null) => element?.focus();

/** @returns false for an order that was withdrawn or cancelled. */
export const isKept = ({ state }: Order): boolean => state === 'new' || state === 'sent';

/** @returns how an order has ended that is not kept, such as `Withdrawn by the shop`. */
export const endText = ({ state, withdrawnBy, sentAt }: Order): string => {
  if (state === 'cancelled') return 'Cancelled: it was not paid in time';
  if (withdrawnBy !== 'shop') return 'Withdrawn';
  return sentAt ? 'Withdrawn by the shop' : 'Cancelled by the shop';
};
