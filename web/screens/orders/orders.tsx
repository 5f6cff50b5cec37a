import { useInfiniteQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ordersQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { useBoughtOrder } from '../../memory/bought-order.ts';
import { restorePlace } from '../../memory/places.ts';
import styles from './orders.module.css';
import { OtherDevices } from './other-devices.tsx';

/** The customer's order history, newest first. */
export const Orders = ({ customer }: { customer: SignedIn }) => {
  const boughtOrder = useBoughtOrder();
  return (
    <>
      <NavigationBar />
      <main className={styles.orders}>
        <div className={styles.head}>
          <p className={styles.customer}>
            <span dir="auto">{customer.userName}</span>
            <span className={styles.email}>{customer.email}</span>
          </p>
          <ScreenHeading title="Orders">Ordered books list:</ScreenHeading>
        </div>
        <Thanks email={customer.email} boughtOrder={boughtOrder} />
        <OrderHistory email={customer.email} boughtOrder={boughtOrder} />
        <OtherDevices />
      </main>
    </>
  );
};

const useOrders = (email: string) => {
  const list = useInfiniteQuery(ordersQuery(email));
  return { list, orders: list.data?.pages.flatMap((page) => page.body) };
};

/** Thanks for the order that was placed just now. The element is there before its text, which is then read out. */
const Thanks = ({ email, boughtOrder }: { email: string; boughtOrder: string | undefined }) => {
  const { orders } = useOrders(email);
  const bought = boughtOrder && orders?.find(({ _id }) => _id === boughtOrder);
  return (
    <p className={styles.thanks} role="status">
      {bought && (
        <>
          Thank you. <cite dir="auto">{bought.title}</cite> is yours.
        </>
      )}
    </p>
  );
};

const OrderHistory = ({ email, boughtOrder }: { email: string; boughtOrder: string | undefined }) => {
  const { list, orders } = useOrders(email);
  if (list.isError && !orders) {
    return (
      <TryAgain problem="Your orders could not be fetched." error={list.error} onTryAgain={list.refetch} />
    );
  }
  if (!orders) return <Loading />;
  if (orders.length === 0) {
    return (
      <Notice>
        <p>You have not bought a book here yet.</p>
        <ButtonLink href={screens.home}>To the shelf</ButtonLink>
      </Notice>
    );
  }
  return (
    <>
      <OrdersTable orders={orders} boughtOrder={boughtOrder} />
      <LoadMore list={list} />
    </>
  );
};

const OrdersTable = ({ orders, boughtOrder }: { orders: Order[]; boughtOrder: string | undefined }) => {
  useLayoutEffect(restorePlace, []);
  return (
    <ResponsiveTable
      label="Ordered books"
      columns={columns}
      rows={orders}
      keyOf={(order) => order._id}
      whenNarrow="compact rows"
      isNew={(order) => order._id === boughtOrder}
    />
  );
};

const columns: Column<Order>[] = [
  { heading: 'Book Name', kind: 'title', cell: (order) => order.title },
  { heading: 'Author name', kind: 'text', cell: (order) => order.author },
  { heading: 'Quantity', kind: 'number', cell: () => 1, isLabelledWhenCompact: true },
  { heading: 'Price ($)', kind: 'number', cell: (order) => <Price value={order.price} /> },
  { heading: 'Order placed time', kind: 'number', cell: (order) => order.time },
];
