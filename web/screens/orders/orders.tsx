import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearch } from 'wouter';
import type { Order } from '../../../contract/order.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ordersQuery } from '../../api/orders.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { useRestoredPlace } from '../../list/restored-place.ts';
import { useBoughtOrder } from '../../memory/history.ts';
import { BookOfOrder } from './book-of-order.tsx';
import { Bought } from './bought.tsx';
import { NoOrders } from './no-orders.tsx';
import styles from './orders.module.css';
import { OrdersTotal } from './orders-total.tsx';
import { Receipt } from './receipt.tsx';
import { orderOfReceipt } from './receipt-address.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { Spines } from './spines.tsx';

/** The customer's order history, newest first; or the receipt of one order. */
export const Orders = ({ customer }: { customer: SignedIn }) => {
  const receipt = orderOfReceipt(useSearch());
  return receipt === null ? (
    <Library customer={customer} />
  ) : (
    <Receipt key={receipt} id={receipt} customer={customer} />
  );
};

const Library = ({ customer }: { customer: SignedIn }) => {
  const boughtOrder = useBoughtOrder();
  const { list, orders } = useOrders(customer.email);
  const bought = orders?.find(({ _id, state }) => _id === boughtOrder && state !== 'withdrawn');
  // The thanks stand above the heading, and would push it away.
  const isAwaited = boughtOrder !== undefined && !orders && !list.isError;
  return (
    <>
      <NavigationBar />
      <main id="content" className={styles.orders}>
        <p className={styles.customer}>
          <span dir="auto">{customer.userName}</span>
          <span className={styles.email}>{customer.email}</span>
        </p>
        <Bought customer={customer} order={bought} />
        {isAwaited ? (
          <Loading />
        ) : (
          <>
            <ScreenHeading title="Orders">Ordered books list:</ScreenHeading>
            <OrderHistory email={customer.email} boughtOrder={boughtOrder} />
          </>
        )}
      </main>
    </>
  );
};

const useOrders = (email: string) => {
  const list = useInfiniteQuery(ordersQuery(email));
  const { data } = list;
  return { list, orders: useMemo(() => data?.pages.flatMap((page) => page.body), [data]) };
};

const OrderHistory = ({ email, boughtOrder }: { email: string; boughtOrder: string | undefined }) => {
  const { list, orders } = useOrders(email);
  const isRestoring = useRestoredPlace({ listId: orders && email, list, itemCount: orders?.length });
  if (list.isError && !orders) {
    return (
      <TryAgain problem="Your orders could not be fetched." error={list.error} onTryAgain={list.refetch} />
    );
  }
  if (!orders || isRestoring) return <Loading />;
  return (
    <>
      {orders.length === 0 ? (
        <NoOrders />
      ) : (
        <>
          <div className={styles.library}>
            {list.hasNextPage || <OrdersTotal orders={orders} />}
            <Spines orders={orders} newId={boughtOrder} />
          </div>
          <ResponsiveTable
            label="Ordered books"
            columns={columns}
            rows={orders}
            keyOf={idOf}
            whenNarrow="compact rows"
            isNew={(order) => order._id === boughtOrder}
            isComplete={!list.hasNextPage}
          />
          <LoadMore list={list} />
        </>
      )}
      {/* Below the list, which would push it away. */}
      <SignOutEverywhere />
    </>
  );
};

const idOf = (order: Order): string => order._id;

const columns: Column<Order>[] = [
  { heading: 'Book Name', kind: 'title', cell: (order) => <BookOfOrder order={order} /> },
  { heading: 'Author name', kind: 'text', cell: (order) => order.author },
  { heading: 'Quantity', kind: 'number', width: '5.5rem', cell: () => 1, isLabelledWhenCompact: true },
  { heading: 'Price ($)', kind: 'number', width: '6.5rem', cell: (order) => <Price value={order.price} /> },
  { heading: 'Order placed time', kind: 'label', width: '9rem', cell: (order) => order.time },
];
