import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { orderQuery } from '../../api/orders.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { timeText } from '../../components/days.ts';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { storeConfig } from '../../store-config.ts';
import { Bookplate } from './bookplate.tsx';
import { stateText } from './order-details.tsx';
import styles from './receipt.module.css';
import type { fromList } from './receipt-address.ts';

/** The receipt of one order, which prints as one page, with a bookplate. */
export const Receipt = ({ id, customer }: { id: string; customer: SignedIn }) => (
  <>
    <NavigationBar />
    <main id="content" className={styles.receipt}>
      <ScreenHeading title="Receipt">Receipt</ScreenHeading>
      <ReceiptOfOrder id={id} customer={customer} />
    </main>
  </>
);

const ReceiptOfOrder = ({ id, customer }: { id: string; customer: SignedIn }) => {
  const { data: order, error, refetch } = useQuery(orderQuery(customer.email, id, useQueryClient()));
  if (order === null) {
    return (
      <Notice>
        <p>None of your orders has this number.</p>
        <ButtonLink href={screens.orders}>To your orders</ButtonLink>
      </Notice>
    );
  }
  if (order) return <Facts order={order} customer={customer} />;
  if (!error) return <Loading />;
  return <TryAgain problem="The order could not be fetched." error={error} onTryAgain={refetch} />;
};

const Facts = ({ order, customer }: { order: Order; customer: SignedIn }) => {
  const { deliveryAddress, withdrawnAt } = order;
  return (
    <>
      <div className={styles.sheet}>
        <dl className={styles.facts}>
          <Fact name="Order">{order._id}</Fact>
          <Fact name="Placed">
            <time dateTime={order.placedAt}>{timeText(new Date(order.placedAt))}</time>
          </Fact>
          <Fact name="Buyer">
            <span dir="auto">{customer.userName}</span>
            <br />
            {customer.email}
          </Fact>
          {deliveryAddress && (
            <Fact name="Address">
              <span className={styles.lines} dir="auto">
                {deliveryAddress}
              </span>
            </Fact>
          )}
          <Fact name="State">{stateText(order)}</Fact>
          <Fact name="Book" isLarge>
            <span dir="auto">{order.title}</span>
            <br />
            <small dir="auto">{order.author}</small>
          </Fact>
          <Fact name="Quantity">1</Fact>
          <Fact name="Price" isLarge>
            <Price value={order.price} />
          </Fact>
          <Fact name="Shop">
            {storeConfig.name}
            {storeConfig.shopEmail && (
              <>
                <br />
                {storeConfig.shopEmail}
              </>
            )}
          </Fact>
        </dl>
        {!withdrawnAt && (
          <div className={styles.plate}>
            <Bookplate order={order} name={customer.userName} />
          </div>
        )}
      </div>
      <p className={styles.acts}>
        <Button onClick={() => window.print()}>Print</Button>
        <BackToOrders />
      </p>
    </>
  );
};

const Fact = ({ name, isLarge, children }: { name: string; isLarge?: boolean; children: ReactNode }) => (
  <div data-is-large={isLarge}>
    <dt>{name}</dt> <dd>{children}</dd>
  </div>
);

/** As the browser's Back, where the customer came from the list: it has its place again. */
const BackToOrders = () => {
  const isFromList = useHistoryState<Partial<typeof fromList> | null>()?.isFromList;
  return (
    <ButtonLink
      variant="subtle"
      href={screens.orders}
      onClick={(event) => {
        if (!isFromList || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        window.history.back();
      }}
    >
      Back to your orders
    </ButtonLink>
  );
};
