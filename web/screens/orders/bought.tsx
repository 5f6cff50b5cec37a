import { Link } from 'wouter';
import type { Order } from '../../../contract/order.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { Stage } from '../../components/stage.tsx';
import { storeConfig } from '../../store-config.ts';
import { bookIn } from './book-in-order.ts';
import { Bookplate } from './bookplate.tsx';
import styles from './bought.module.css';
import { fromList, receiptAddress } from './receipt-address.ts';
import { dayOf } from './withdrawal.tsx';

type BoughtProps = {
  customer: SignedIn;
  /** The order that was placed just now; undefined for none. */
  order: Order | undefined;
};

/**
 * The book that was bought just now, with thanks, what happens next, and a bookplate. The element of the thanks is there before its text,
 * which is then read out.
 */
export const Bought = ({ customer, order }: BoughtProps) => (
  <div className={order ? styles.bought : styles.nothing}>
    {order && (
      <Stage book={{ ...bookIn(order), ...(order.coverColour && { coverColour: order.coverColour }) }} />
    )}
    <div className={styles.words}>
      <p className={styles.thanks} role="status">
        {order && (
          <>
            Thank you. <cite dir="auto">{order.title}</cite> is yours.
            {customer.hasNoReceipts &&
              ' No receipt is sent: your sign-in provider has not verified your e-mail.'}
          </>
        )}
      </p>
      {order && <NextSteps order={order} hasMail={storeConfig.sendsMail && !customer.hasNoReceipts} />}
    </div>
    {order && (
      <div className={styles.plate}>
        <Bookplate order={order} name={customer.userName} />
      </div>
    )}
  </div>
);

const NextSteps = ({ order, hasMail }: { order: Order; hasMail: boolean }) => (
  <ul className={styles.steps} aria-label="What happens next">
    <li>
      <Delivery address={order.deliveryAddress} />
    </li>
    <li>
      {hasMail && 'A receipt comes by mail. '}
      To print:{' '}
      <Link href={receiptAddress(order._id)} state={fromList}>
        Receipt and bookplate
      </Link>
    </li>
    {order.withdrawUntil && (
      <li>You may withdraw until {dayOf(order.withdrawUntil)}, and longer if it is sent later.</li>
    )}
  </ul>
);

const Delivery = ({ address }: { address: string | undefined }) => {
  const { hasDelivery, shopEmail } = storeConfig;
  if (!hasDelivery)
    return shopEmail
      ? `The shop hands it over to you. Questions: ${shopEmail}`
      : 'The shop hands it over to you.';
  if (!address) return 'It has no address to be sent to yet. The details of the order below take one.';
  return (
    <>
      It is sent to
      <span className={styles.address} dir="auto">
        {address}
      </span>
    </>
  );
};
