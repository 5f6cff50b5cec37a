import { Link } from 'wouter';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import { Lines } from '../../components/lines.tsx';
import { Stage } from '../../components/stage.tsx';
import { storeConfig } from '../../store-config.ts';
import { bookIn, fromList } from './order.tsx';
import { dayOf } from './order-state.tsx';
import styles from './orders.module.css';
import { isDue, PaymentOfOrder } from './payment.tsx';

type ThanksProps = {
  order: Order | undefined;
  hasNoReceipts: boolean | undefined;
};

/** The book that was just bought, and what happens next. The element exists before its text, so that screen readers read the text out. */
export const Thanks = ({ order, hasNoReceipts }: ThanksProps) => (
  <>
    <p className={`status ${styles.thanks}`} role="status" data-no-print>
      {order && (
        <>
          Thank you. <cite dir="auto">{order.title}</cite> is {isDue(order) ? 'kept for you' : 'yours'}.
          {hasNoReceipts && ' No receipt is sent: your sign-in provider has not verified your e-mail.'}
        </>
      )}
    </p>
    {order && (
      <div className="split" data-no-print>
        <Stage book={{ ...bookIn(order), ...(order.coverColour && { coverColour: order.coverColour }) }} />
        <ul className="ruled" aria-label="What happens next">
          {isDue(order) && (
            <li>
              <PaymentOfOrder order={order} />
            </li>
          )}
          <li>
            <Delivery order={order} />
          </li>
          <li>
            {storeConfig.sendsMail && !hasNoReceipts && 'We’ll e-mail you a receipt. '}
            <Link href={screens.order(order._id)} state={fromList}>
              See your order, its receipt and bookplate
            </Link>
          </li>
          {order.withdrawUntil && <li>You can withdraw until at least {dayOf(order.withdrawUntil)}.</li>}
        </ul>
      </div>
    )}
  </>
);

const Delivery = ({ order }: { order: Order }) => {
  const { deliveryAddress, delivery } = order;
  const { hasDelivery, shopEmail } = storeConfig;
  if (delivery?.asksAddress === false) {
    return (
      <>
        You chose “<bdi>{delivery.name}</bdi>”.{delivery.payOnCollection && ' You pay when you collect it.'}
      </>
    );
  }
  if (!hasDelivery) return `Collect it at the shop.${shopEmail ? ` Questions: ${shopEmail}` : ''}`;
  if (!deliveryAddress)
    return 'We don’t have your address yet. Where shall we send it? Add it to your order.';
  return (
    <>
      {isDue(order) ? 'Once it’s paid, we’ll' : 'We’ll'} send it to
      <Lines text={deliveryAddress} isProse />
    </>
  );
};
