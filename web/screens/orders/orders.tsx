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
import { restorePlace } from '../../memory/places.ts';
import styles from './orders.module.css';
import { OtherDevices } from './other-devices.tsx';

/** The customer's order history, newest first. */
export const Orders = ({ customer }: { customer: SignedIn }) => (
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
      <OrderHistory email={customer.email} />
      <OtherDevices />
    </main>
  </>
);

const OrderHistory = ({ email }: { email: string }) => {
  const list = useInfiniteQuery(ordersQuery(email));
  const orders = list.data?.pages.flatMap((page) => page.body);

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
      <OrdersTable orders={orders} />
      <LoadMore list={list} />
    </>
  );
};

const OrdersTable = ({ orders }: { orders: Order[] }) => {
  useLayoutEffect(restorePlace, []);
  return (
    <ResponsiveTable label="Ordered books" columns={columns} rows={orders} keyOf={(order) => order._id} />
  );
};

const columns: Column<Order>[] = [
  { heading: 'Book Name', kind: 'title', cell: (order) => order.title },
  { heading: 'Author name', kind: 'text', cell: (order) => order.author },
  { heading: 'Quantity', kind: 'number', cell: () => 1 },
  { heading: 'Price ($)', kind: 'number', cell: (order) => <Price value={order.price} /> },
  { heading: 'Order placed time', kind: 'number', cell: (order) => order.time },
];
