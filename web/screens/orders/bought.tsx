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
      {hasMail && 'We’ll e-mail you a receipt. '}
      <Link href={receiptAddress(order._id)} state={fromList}>
        Print your receipt and bookplate
      </Link>
    </li>
    {order.withdrawUntil && <li>You can withdraw until at least {dayOf(order.withdrawUntil)}.</li>}
  </ul>
);

const Delivery = ({ address }: { address: string | undefined }) => {
  const { hasDelivery, shopEmail } = storeConfig;
  if (!hasDelivery)
    return (
      <span>{shopEmail ? `Collect it at the shop. Questions: ${shopEmail}` : 'Collect it at the shop.'}</span>
    );
  if (!address)
    return <span>We don’t have your address yet. Where shall we send it? Add it in the details below.</span>;
  return (
    <>
      We’ll send it to
      <span className={styles.address} dir="auto">
        {address}
      </span>
    </>
  );
};
