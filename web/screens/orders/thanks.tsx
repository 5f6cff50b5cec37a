import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { coverWords } from '../../../contract/cover-title.ts';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { correctAddress, ordersKey } from '../../api/orders.ts';
import { Cover, Tint } from '../../components/cover.tsx';
import { utcDayText } from '../../components/days.ts';
import { Lines } from '../../components/lines.tsx';
import { AddressForm } from '../../components/order-forms.tsx';
import { focusHeading, ScreenHeading } from '../../components/screen-heading.tsx';
import { asksAddress, storeConfig } from '../../store-config.ts';
import { bookIn, fromList } from './order.tsx';
import styles from './orders.module.css';
import { isDue, PaymentOfOrder } from './payment.tsx';

/** The book that was just bought, and what happens next. The heading has the focus, so that the next stop is what the buyer has to do. */
export const Thanks = ({ order, customer }: { order: Order; customer: SignedIn }) => (
  <>
    <ScreenHeading title="Orders">
      <span className={styles.thanks} data-no-print>
        Thank you, <bdi>{customer.userName.split(' ')[0]}</bdi>.{' '}
      </span>
      <span className={styles.thanks} data-no-print>
        <cite dir="auto">{coverWords(order).title}</cite> is {isDue(order) ? 'kept for you' : 'yours'}.
      </span>
    </ScreenHeading>
    <div className="split" data-no-print>
      <ul className="stack" aria-label="What happens next">
        {isDue(order) && (
          <li>
            <PaymentOfOrder order={order} />
          </li>
        )}
        <li>
          <Delivery order={order} />
        </li>
        <li>
          {storeConfig.mail === 'sent' &&
            (customer.hasNoReceipts
              ? 'We can’t e-mail you a receipt: your sign-in provider has not verified your e-mail. '
              : 'We’ll e-mail you a receipt. ')}
          <Link href={screens.order(order._id)} state={fromList}>
            See your order, its receipt and bookplate
          </Link>
        </li>
        {order.withdrawUntil && (
          <li className="soft">You can withdraw until at least {utcDayText(order.withdrawUntil)}.</li>
        )}
      </ul>
      <div className={`frame ${styles.cover}`}>
        <Tint book={bookIn(order)} />
        <Cover book={bookIn(order)} isEager isFirst size="large" />
      </div>
    </div>
    <h2>Ordered books list:</h2>
  </>
);

const Delivery = ({ order }: { order: Order }) => {
  const queryClient = useQueryClient();
  const { deliveryAddress, delivery, title } = order;
  if (!asksAddress(order))
    return `We’ll keep it for you to collect.${delivery?.payOnCollection ? ' You pay when you collect it.' : ''}`;
  if (!deliveryAddress) {
    const save = async (address: string) => {
      await correctAddress(order._id, address);
      await queryClient.invalidateQueries({ queryKey: ordersKey });
      focusHeading();
    };
    return (
      <div className="stack tight asked">
        <h2>Where shall we send it?</h2>
        <AddressForm isOpen isPrimary={!isDue(order)} title={title} send={save} />
      </div>
    );
  }
  return (
    <>
      {isDue(order) ? 'Once it’s paid, we’ll' : 'We’ll'} send it to
      <Lines text={deliveryAddress} isProse />
    </>
  );
};
