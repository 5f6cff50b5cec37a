import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { trackingAddress } from '../../../contract/delivery-address.ts';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { correctAddress, orderQuery, ordersKey } from '../../api/orders.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { times } from '../../components/days.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Lines } from '../../components/lines.tsx';
import { Notice } from '../../components/notice.tsx';
import { AddressForm } from '../../components/order-forms.tsx';
import { DeliveryPrice, Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { type EntryState, useEntryState } from '../../memory/history.ts';
import { backLink } from '../../navigation/back-to-shelf.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './order.module.css';
import { Bookplate } from './order-pictures.tsx';
import { isKept, StateOfOrder } from './order-state.tsx';
import { isDue, PaymentOfOrder } from './payment.tsx';

/** The page of one order: its state, what its buyer can do with it, and its receipt, which prints as one page. */
export const OrderPage = ({ id, customer }: { id: string; customer: SignedIn }) => {
  const queryClient = useQueryClient();
  const query = orderQuery(customer.email, id, queryClient);
  const show = async (changed: Partial<Order>) => {
    // A response that is still on its way may have the old state of the order.
    await queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData<Order>(query.queryKey, (order) => order && { ...order, ...changed });
    // In the list, the sum and the text of the order's row have changed.
    queryClient.removeQueries({ queryKey: ordersKey });
  };
  return (
    <main id="content" className="page">
      <ScreenHeading title="Order">
        <span data-no-print>Your order</span>
        <span className={styles.onPaper}>Receipt</span>
      </ScreenHeading>
      <Fetched query={useQuery(query)} problem="The order could not be fetched." whenMissing={noOrder}>
        {(order) => (
          <>
            <div className={`split ${styles.sheet}`}>
              <Facts order={order} customer={customer} onChanged={show} />
              {isKept(order) && <Bookplate order={order} name={customer.userName} />}
            </div>
            <p className="cluster" data-no-print>
              <Button onClick={() => window.print()}>Print the receipt</Button>
              <BackToOrders />
            </p>
          </>
        )}
      </Fetched>
    </main>
  );
};

const noOrder = (
  <Notice>
    <p>None of your orders has this number.</p>
    <ButtonLink href={screens.orders}>To your orders</ButtonLink>
  </Notice>
);

type FactsProps = { order: Order; customer: SignedIn; onChanged: (changed: Partial<Order>) => Promise<void> };

const Facts = ({ order, customer, onChanged }: FactsProps) => {
  const { delivery, gift } = order;
  const isCorrectable = storeConfig.hasDelivery && order.state === 'new' && delivery?.asksAddress !== false;
  return (
    <dl className="facts ruled">
      <Fact name="Book" className={`large ${styles.wide}`}>
        <BookOfOrder order={order} />
      </Fact>
      <Fact name="Payment" className={isDue(order) ? styles.wide : undefined}>
        {order.payment && <PaymentOfOrder order={order} />}
      </Fact>
      <Fact name="State">
        <StateOfOrder order={order} onWithdrawn={onChanged} />
      </Fact>
      <Fact name="Parcel" data-no-print>
        {order.tracking && <Tracking text={order.tracking} />}
      </Fact>
      <Fact name="Quantity">1</Fact>
      <Fact name="Price">
        <Price value={order.price} />
      </Fact>
      {delivery && (
        <Fact name="Delivery">
          <bdi>{delivery.name}</bdi> · <DeliveryPrice value={delivery.price} />
          {delivery.payOnCollection && (
            <small className="second">{order.sentAt ? 'Paid' : 'To be paid'} on collection</small>
          )}
        </Fact>
      )}
      <Fact name="Total" className="large">
        <Price value={order.total} />
      </Fact>
      <Fact name="Gift" className="lines" dir="auto">
        {gift && (gift.text || 'Without words')}
      </Fact>
      <Fact name="Order">{order.number}</Fact>
      <Fact name="Placed">
        <time dateTime={order.placedAt}>{times.format(new Date(order.placedAt))}</time>
      </Fact>
      <Fact name="Buyer">
        <Lines text={`${customer.userName}\n${customer.email}`} />
      </Fact>
      {(order.deliveryAddress || isCorrectable) && (
        <Fact name="Address" data-no-print={!order.deliveryAddress || undefined}>
          <Lines text={order.deliveryAddress} />
          {isCorrectable && (
            <AddressForm
              title={order.title}
              text={order.deliveryAddress}
              send={async (address) => await onChanged(await correctAddress(order._id, address))}
            />
          )}
        </Fact>
      )}
      <Fact name="Shop">
        <Lines text={[storeConfig.name, storeConfig.shopEmail].join('\n')} />
      </Fact>
    </dl>
  );
};

const Tracking = ({ text }: { text: string }) => {
  const address = trackingAddress(text);
  return address ? <a href={address}>Follow the parcel</a> : <bdi>{text}</bdi>;
};

/** @returns the order's book with the title that it had then, for its cover and tint. */
export const bookIn = ({ bookId, image = '', ...order }: Order) => ({ ...order, _id: bookId, image });

/** The link to the book's page; a deleted book has none. */
const BookOfOrder = ({ order }: { order: Order }) => (
  <span className={styles.book}>
    <span data-no-print>
      <Cover book={bookIn(order)} size="row" isEager isLabelled />
    </span>
    <span>
      {order.bookGone ? (
        <span dir="auto">{order.title}</span>
      ) : (
        // Back returns the focus to the link with this id.
        <Link id="book" dir="auto" href={screens.book(order.bookId)}>
          {order.title}
        </Link>
      )}
      <small className="second" dir="auto">
        {order.author}
      </small>
      {order.bookGone && (
        <small className="second" data-no-print>
          No longer sold
        </small>
      )}
    </span>
  </span>
);

/** The state of the history entry of an order's page that was opened from the list. */
export const fromList: EntryState = { isFromList: true };

const BackToOrders = () => {
  const { isFromList } = useEntryState();
  return (
    <Link className="linkish" {...(isFromList ? backLink(screens.orders, 1) : { href: screens.orders })}>
      Back to your orders
    </Link>
  );
};
