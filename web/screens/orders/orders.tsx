import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Redirect, useSearch } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ordersQuery } from '../../api/orders.ts';
import { BookCell } from '../../components/book-cell.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { useList } from '../../list/use-list.ts';
import { useBoughtOrder } from '../../memory/history.ts';
import { NoOrders } from './no-orders.tsx';
import { bookIn, fromList, OrderPage } from './order.tsx';
import { withdrawnText } from './order-state.tsx';
import styles from './orders.module.css';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { Spines } from './spines.tsx';
import { Thanks } from './thanks.tsx';

/** The customer's order history, newest first; or the page of the order with this id. */
export const Orders = ({ id, customer }: { id: string; customer: SignedIn }) => {
  // The address of a receipt in 0.2.0.
  const receipt = new URLSearchParams(useSearch()).get('receipt');
  if (receipt !== null) return <Redirect to={screens.order(receipt)} replace />;
  return (
    <>
      <NavigationBar />
      {id === '' ? <OrderList customer={customer} /> : <OrderPage id={id} customer={customer} />}
    </>
  );
};

const OrderList = ({ customer }: { customer: SignedIn }) => {
  const boughtOrder = useBoughtOrder();
  const { data, isError } = useInfiniteQuery(ordersQuery(customer.email));
  const bought = data?.pages
    .flatMap(({ body }) => body)
    .find(({ _id, state }) => _id === boughtOrder && state !== 'withdrawn');
  // The thanks stand above the heading, and would push it away.
  const isAwaited = boughtOrder !== undefined && !data && !isError;
  return (
    <main id="content" className="page">
      <p>
        <b dir="auto">{customer.userName}</b>
        <br />
        {customer.email}
      </p>
      <Thanks customer={customer} order={bought} />
      {isAwaited ? (
        <Loading />
      ) : (
        <>
          <ScreenHeading title="Orders">Ordered books list:</ScreenHeading>
          <OrderHistory email={customer.email} boughtOrder={boughtOrder} />
        </>
      )}
    </main>
  );
};

const OrderHistory = ({ email, boughtOrder }: { email: string; boughtOrder: string | undefined }) => {
  const { list, items: orders, isRestoring } = useList(ordersQuery(email));
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
        // The eye follows a row no further.
        <div className={`stack ${styles.list}`}>
          {list.hasNextPage || <Total orders={orders} />}
          <Spines orders={orders} newId={boughtOrder} />
          <ResponsiveTable
            label="Ordered books"
            columns={columns}
            rows={orders}
            keyOf={idOf}
            isComplete={!list.hasNextPage}
          />
          <LoadMore list={list} />
        </div>
      )}
      {/* Below the list, which would push it away. */}
      <SignOutEverywhere />
    </>
  );
};

/** How many books the customer has, and what they cost. The row of a single one says it. */
const Total = ({ orders }: { orders: readonly Order[] }) => {
  const kept = orders.filter(({ state }) => state !== 'withdrawn');
  if (kept.length < 2) return null;
  const cents = kept.reduce((sum, { price }) => sum + (amountToCents(price) ?? 0), 0);
  return (
    <p className="byline">
      <strong>{counted(kept.length, 'book')}</strong>, <Price value={centsToAmount(cents)} />
    </p>
  );
};

const idOf = (order: Order): string => order._id;

const columns: Column<Order>[] = [
  { heading: 'Book Name', kind: 'title', cell: (order) => <BookOfOrder order={order} /> },
  { heading: 'Author name', kind: 'text', cell: (order) => order.author },
  { heading: 'Quantity', kind: 'number', width: '5.5rem', cell: () => 1 },
  { heading: 'Price ($)', kind: 'number', width: '6.5rem', cell: (order) => <Price value={order.price} /> },
  { heading: 'Order placed time', kind: 'label', width: '9rem', cell: (order) => order.time },
];

/** Leads to the page of the order. The id: Back returns the focus to it. */
const BookOfOrder = ({ order }: { order: Order }) => (
  <Link id={`order-${order._id}`} className={styles.book} href={screens.order(order._id)} state={fromList}>
    <BookCell book={bookIn(order)} title={<span className="linkish">{order.title}</span>}>
      {order.state === 'withdrawn' && <span className="second">{withdrawnText(order)}</span>}
    </BookCell>
  </Link>
);
