import { useEffect, useRef, useState } from 'react';
import type { Order, WithdrawnOrder } from '../../../contract/order.ts';
import { withdrawOrder } from '../../api/orders.ts';
import { Price } from '../../components/price.tsx';
import { WithdrawalForm } from '../../components/withdrawal-form.tsx';
import { useSession } from '../../session/session.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './withdrawal.module.css';

type WithdrawalProps = {
  order: Order;
  /** Called when the store has taken it. */
  onWithdrawn: (withdrawn: WithdrawnOrder) => void;
};

/** Takes an order back, for as long as its buyer may; and says that it was. */
export const Withdrawal = ({ order, onWithdrawn }: WithdrawalProps) => {
  const { title, author, price, time, withdrawUntil, withdrawnAt } = order;
  const [isJustWithdrawn, setIsJustWithdrawn] = useState(false);
  if (withdrawnAt) {
    return isJustWithdrawn ? (
      <Acknowledgement at={withdrawnAt} />
    ) : (
      <span className={styles.state}>
        {stateOf(order)} on <Time iso={withdrawnAt} />
      </span>
    );
  }
  if (!withdrawUntil) return null;
  return (
    <WithdrawalForm
      opener="Withdraw from contract"
      confirm="Confirm withdrawal"
      title={title}
      withdraw={async (reason) => {
        const withdrawn = await withdrawOrder(order._id, reason);
        setIsJustWithdrawn(true);
        onWithdrawn(withdrawn);
      }}
    >
      You are withdrawing from your purchase of <cite dir="auto">{title}</cite> by{' '}
      <span dir="auto">{author}</span>, bought on {time} for <Price value={price} />.
      {order.sentAt && ` You can until ${dayOf(withdrawUntil)}.`}
    </WithdrawalForm>
  );
};

/** The form that had the focus is gone. */
const Acknowledgement = ({ at }: { at: string }) => {
  const { data: customer } = useSession();
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <span ref={element} className={styles.acknowledgement} role="status" tabIndex={-1}>
      You have withdrawn from this contract. Your withdrawal arrived on <Time iso={at} />.{' '}
      {storeConfig.sendsMail && !customer?.hasNoReceipts
        ? 'We’ll e-mail you a confirmation.'
        : 'We can’t e-mail you a confirmation, so please print or save this page.'}
    </span>
  );
};

const stateOf = ({ withdrawnBy, sentAt }: Order): string => {
  if (withdrawnBy !== 'shop') return 'Withdrawn';
  return sentAt ? 'Withdrawn by the shop' : 'Cancelled by the shop';
};

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** To the second, on the clock of the browser. */
const Time = ({ iso }: { iso: string }) => <time dateTime={iso}>{times.format(new Date(iso))}</time>;

/** The day as orders have it, in UTC, by which the days are counted. */
export const dayOf = (iso: string): string => {
  const [weekday, day, month, year] = new Date(iso).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${year}`;
};
