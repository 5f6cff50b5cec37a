import { useEffect, useState } from 'react';
import { Link, Redirect, useSearch } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { sumOf } from '../../../contract/money.ts';
import type { Order } from '../../../contract/order.ts';
import { screens } from '../../../contract/paths.ts';
import type { SignedIn } from '../../../contract/session.ts';
import { ordersQuery } from '../../api/orders.ts';
import { BookCell } from '../../components/book-cell.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FrontRow } from '../../components/cover-row/cover-row.tsx';
import { dayText } from '../../components/days.ts';
import { Listed } from '../../components/fetched.tsx';
import { Field } from '../../components/field.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Problem } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { type FoundList, useList } from '../../list/use-list.ts';
import { changeEntry, entryState } from '../../memory/history.ts';
import { useSignOut } from '../../session/session.ts';
import { money } from '../../store-config.ts';
import { bookIn, fromList, OrderPage } from './order.tsx';
import { Spines } from './order-pictures.tsx';
import { endText, isKept, sentText } from './order-state.tsx';
import styles from './orders.module.css';
import { Thanks } from './thanks.tsx';

/** The customer's order history, newest first; or the page of the order with this id. */
export const Orders = ({ id, customer }: { id: string; customer: SignedIn }) => {
  // In version 0.2.0, a receipt had this address.
  const receipt = new URLSearchParams(useSearch()).get('receipt');
  if (receipt) return <Redirect to={screens.order(receipt)} replace />;
  return id === '' ? <OrderList customer={customer} /> : <OrderPage id={id} customer={customer} />;
};

const OrderList = ({ customer }: { customer: SignedIn }) => {
  // Undefined after a reload, or if the screen was opened in another way.
  const [boughtOrder] = useState(() => entryState().boughtOrder);
  useEffect(() => {
    if (boughtOrder !== undefined) changeEntry({ boughtOrder: undefined });
  }, [boughtOrder]);
  const found = useList(ordersQuery(customer.email));
  const bought = found.items?.find((order) => order._id === boughtOrder && isKept(order));
  // The thanks would push the heading down, so it waits for them.
  const isAwaited = boughtOrder !== undefined && !found.items && !found.list.isError;
  return (
    <main id="content" className="page">
      {bought && <Thanks order={bought} customer={customer} />}
      {!bought && !isAwaited && <ScreenHeading title="Orders">Ordered books list:</ScreenHeading>}
      <Listed found={found} problem="Your orders could not be fetched." whenEmpty={<NoOrders />}>
        {(orders) => <OrderHistory orders={orders} list={found.list} />}
      </Listed>
      {/* The account is below the list, which would push it down. */}
      {found.items && !found.isRestoring && <Account customer={customer} />}
    </main>
  );
};

/** The first number of orders in which a customer can search. */
const searchedFrom = 20;

const OrderHistory = ({ orders, list }: { orders: Order[]; list: FoundList<Order>['list'] }) => {
  const [typed, setTyped] = useState(() => entryState().search ?? '');
  const words = keyOf(typed).split(/\s+/);
  const shown = orders.filter((order) => words.every((word) => keyOf(textOf(order)).includes(word)));
  return (
    <div className="stack">
      {list.hasNextPage || <Total orders={orders} />}
      <Spines orders={orders} />
      {orders.length >= searchedFrom && (
        <search className="stack tight">
          <Field
            label="Search your orders"
            type="search"
            value={typed}
            onChange={({ target: { value } }) => {
              setTyped(value);
              changeEntry({ search: value });
            }}
          />
          <p className="status soft" role="status">
            {typed && `${counted(shown.length, 'order')} found`}
          </p>
        </search>
      )}
      <ResponsiveTable label="Ordered books" columns={columns} rows={shown} isComplete={!list.hasNextPage} />
      {/* The end of a list of few found orders is in view: it fetches all orders. */}
      <LoadMore list={list} />
    </div>
  );
};

/** @returns a text without case and accents. */
const keyOf = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
const textOf = ({ title, author, number }: Order): string => [title, author, number].join(' ');

/** Shown before the first order: the books of the front table, to begin with. Their space is kept until they arrive. */
const NoOrders = () => (
  <>
    <div className="cluster">
      <p className="byline">You have not bought a book here yet.</p>
      <ButtonLink href={screens.home}>To the shelf</ButtonLink>
    </div>
    <div className={`rows ${styles.front}`} data-no-print>
      <FrontRow />
    </div>
  </>
);

/** The number of the customer's books and their total price. A single order needs none: its row has the price. */
const Total = ({ orders }: { orders: readonly Order[] }) => {
  const kept = orders.filter(isKept);
  if (kept.length < 2) return null;
  return (
    <p className="byline">
      <strong>{counted(kept.length, 'book')}</strong>, <Price value={sumOf(kept.map(({ total }) => total))} />
    </p>
  );
};

const columns: Column<Order>[] = [
  { heading: 'Book Name', kind: 'title', cell: (order) => <BookOfOrder order={order} /> },
  { heading: 'Author name', kind: 'text', cell: (order) => order.author },
  { heading: 'Quantity', kind: 'number', width: '5.5rem', cell: () => 1 },
  {
    heading: money.named('Price'),
    kind: 'number',
    width: '6.5rem',
    cell: ({ price, total }) => (
      <>
        <Price value={price} />
        {total !== price && (
          <span className={`second ${styles.total}`}>
            {' Total '}
            <Price value={total} />
          </span>
        )}
      </>
    ),
  },
  { heading: 'Order placed time', kind: 'text', width: '9rem', cell: (order) => order.time },
];

/** A link to the page of the order. Back returns the focus to it by its id. */
const BookOfOrder = ({ order }: { order: Order }) => (
  <Link id={`order-${order._id}`} className={styles.book} href={screens.order(order._id)} state={fromList}>
    <BookCell book={bookIn(order)} title={<span className="linkish">{order.title}</span>}>
      {hasState(order) && <span className="second">{`${stateText(order)} · ${order.number}`}</span>}
    </BookCell>
  </Link>
);

/** A row of a new order without a way or a payment has no state (spec, section 4). */
const hasState = ({ state, delivery, payment }: Order): boolean =>
  Boolean(state !== 'new' || delivery || payment);

const stateText = (order: Order): string => {
  if (!isKept(order)) return endText(order);
  const { payment } = order;
  return payment?.state === 'due' ? `To be paid by ${dayText(new Date(payment.until))}` : sentText(order);
};

/** Whose orders these are. Their sessions end on every device, for example after a phone was lost. */
const Account = ({ customer: { userName, email } }: { customer: SignedIn }) => {
  const signOut = useSignOut();
  return (
    <>
      <p>
        <b dir="auto">{userName}</b>
        <br />
        {email}
      </p>
      <details data-no-print>
        <summary className="linkish soft">Signed in elsewhere?</summary>
        <div className="stack tight">
          <p className="soft">This signs you out on every device, including this one.</p>
          <Button onClick={() => signOut.mutate({ everywhere: true })} isBusy={signOut.isPending}>
            Sign out everywhere
          </Button>
          <Problem text={signOut.isError && 'You are still signed in. Please try again.'} />
        </div>
      </details>
    </>
  );
};
