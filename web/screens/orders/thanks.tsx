import { Link } from 'wouter';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import { Stage } from '../../components/stage.tsx';
import { storeConfig } from '../../store-config.ts';
import { bookIn, fromList } from './order.tsx';
import { dayOf } from './order-state.tsx';
import { isDue, Pay } from './payment.tsx';
import styles from './thanks.module.css';

type ThanksProps = {
  /** The order that was just placed; undefined for none. */
  order: Order | undefined;
  hasNoReceipts: boolean | undefined;
};

/** The book that was just bought, and what happens next. The element exists before its text, so that screen readers read the text out. */
export const Thanks = ({ order, hasNoReceipts }: ThanksProps) => (
  <>
    <p className={`status ${styles.words}`} role="status" data-no-print>
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
        <ul className={`stack ${styles.steps}`} aria-label="What happens next">
          {order.payment?.state === 'due' && (
            <li>
              <Pay order={order} payment={order.payment} />
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

const WithoutAddress = ({ name, payOnCollection }: NonNullable<Order['delivery']>) => (
  <span>
    You chose “<bdi>{name}</bdi>”.{payOnCollection && ' You pay when you collect it.'}
  </span>
);

const Delivery = ({ order }: { order: Order }) => {
  const { deliveryAddress: address, delivery } = order;
  const { hasDelivery, shopEmail } = storeConfig;
  if (delivery && !delivery.asksAddress) return <WithoutAddress {...delivery} />;
  if (!hasDelivery) return <span>Collect it at the shop.{shopEmail && ` Questions: ${shopEmail}`}</span>;
  if (!address)
    return <span>We don’t have your address yet. Where shall we send it? Add it to your order.</span>;
  return (
    <>
      {isDue(order) ? 'Once it’s paid, we’ll' : 'We’ll'} send it to
      <p className={`lines ${styles.address}`} dir="auto">
        {address}
      </p>
    </>
  );
};
