import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/calls.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { storeConfig } from '../../store-config.ts';
import { useAct } from '../acts.tsx';
import { SimilarNote } from '../desk-list.tsx';
import { useOpenList } from '../list-context.ts';
import { Time } from '../time.tsx';
import { areSet, useFilters } from '../use-filters.ts';
import { useSelection } from '../use-selection.ts';
import { ViewHead } from '../view-head.tsx';
import { ordersQuery } from './api.ts';
import { markAsSent } from './marks.ts';
import styles from './packing-list.module.css';

/** More than anyone packs from one list. The rest comes when these are marked as sent. */
const maxOrders = 1_000;

const filterNames = ['state', 'q', 'from', 'to'];

/** Leads to the orders of the list, as they are to be packed. */
export const PackingLink = () => {
  const { filters } = useOpenList();
  const state = filters['state'] === 'sent' ? 'sent' : 'new';
  return (
    <ButtonLink href={withFilters(deskViewAddress('orders'), { packing: 'yes', ...filters, state })}>
      Packing list
    </ButtonLink>
  );
};

/** The orders of the filters as a list on paper or on a phone: a parcel for each buyer and address, and a box to tick for each book. */
export const PackingList = () => {
  const { filters } = useFilters(filterNames);
  const waitingId = useId();
  const list = useInfiniteQuery(ordersQuery(filters));
  const { act, isBusy } = useAct();
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const listed = data?.pages.flatMap((page) => page.body) ?? [];
  const orders = listed.filter(({ state }) => state !== 'withdrawn');
  const isIncomplete = hasNextPage && listed.length < maxOrders;

  useEffect(() => {
    if (isIncomplete && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isIncomplete, isFetching, isFetchNextPageError, fetchNextPage]);

  const unsent = orders.filter(({ sentAt }) => sentAt === null);
  const sendable = unsent.filter(hasAddress);
  const waiting = orders.filter((order) => !hasAddress(order));
  const { chosen: ticked, selected: packed, toggle } = useSelection(unsent);
  const isRestricted = areSet({ ...filters, state: '' });
  const mark = (some: readonly DeskOrder[]) => act({ ...markAsSent, run: () => markAsSent.run(some) });
  const isReady = data && !isIncomplete;
  return (
    <>
      <ViewHead
        name="Packing list"
        about={
          isReady &&
          orders.length > 0 &&
          `${counted(orders.length, 'order')}${isRestricted ? ' of your search' : ''}${hasNextPage ? ', and more after these' : ''}, by buyer.`
        }
      >
        <ButtonLink href={withFilters(deskViewAddress('orders'), filters)}>Back to the orders</ButtonLink>
        {isReady && orders.length > 0 && (
          <>
            {(sendable.length > 0 || packed.length > 0) && (
              <Button isBusy={isBusy} onClick={() => mark(packed.length > 0 ? packed : sendable)}>
                Mark {packed.length > 0 ? packed.length.toLocaleString('en') : 'all'} as sent
              </Button>
            )}
            <Button variant="primary" onClick={() => window.print()}>
              Print
            </Button>
          </>
        )}
      </ViewHead>
      {list.isError && !isFetching && (
        <TryAgain
          problem="The orders could not be fetched."
          error={list.error}
          onTryAgain={data ? fetchNextPage : list.refetch}
        />
      )}
      {!isReady && !list.isError && <Loading />}
      {isReady && orders.length === 0 && (
        <Notice role="status">
          <p>{isRestricted ? 'No order of your search is to be packed.' : 'Nothing to pack.'}</p>
        </Notice>
      )}
      <SimilarNote page={data?.pages[0]} />
      {isReady && <Parcels orders={orders.filter(hasAddress)} ticked={ticked} onTick={toggle} />}
      {isReady && waiting.length > 0 && (
        <section className="stack tight" aria-labelledby={waitingId}>
          <h2 id={waitingId}>No address yet</h2>
          <p>These buyers have not said where to send their books.</p>
          <Parcels heading="h3" orders={waiting} ticked={ticked} onTick={toggle} />
        </section>
      )}
    </>
  );
};

/** Without delivery nothing has an address, and all is handed over. */
const hasAddress = ({ deliveryAddress }: DeskOrder): boolean =>
  !storeConfig.hasDelivery || Boolean(deliveryAddress);

const Parcels = ({ orders, ...rest }: ParcelProps) => (
  <ol className={`stack ${styles.parcels}`}>
    {parcelsOf(orders).map((parcel) => (
      <li key={parcel[0]?._id}>
        <Parcel orders={parcel} {...rest} />
      </li>
    ))}
  </ol>
);

type ParcelProps = {
  heading?: 'h2' | 'h3';
  orders: readonly DeskOrder[];
  ticked: ReadonlySet<string>;
  onTick: (id: string) => void;
};

const Parcel = ({ heading: Heading = 'h2', orders, ticked, onTick }: ParcelProps) => {
  const [first] = orders;
  if (!first) return null;
  const { buyer, deliveryAddress } = first;
  const { name, email } = buyer;
  return (
    <>
      <Heading>
        {email === '' ? 'An erased customer' : <bdi>{name}</bdi>}
        {email && <span className="second">{email}</span>}
      </Heading>
      {deliveryAddress && (
        <p className={`lines ${styles.address}`} dir="auto">
          {deliveryAddress}
        </p>
      )}
      <ul className={`ruled ${styles.books}`}>
        {orders.map((order) => (
          <li key={order._id}>
            <label className={styles.book}>
              <input type="checkbox" checked={ticked.has(order._id)} onChange={() => onTick(order._id)} />
              <cite dir="auto">{order.title}</cite>
              <span className="second" dir="auto">
                {order.author}
              </span>
            </label>
            <p className={`soft figures ${styles.order}`}>
              <span>Order {order._id}</span>
              <span>
                Placed <Time iso={order.placedAt} />
              </span>
              {order.addressCorrectedAt && (
                <span>
                  Address corrected <Time iso={order.addressCorrectedAt} />
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
};

/** @returns the orders of each buyer to one address together, who ordered first in front: in the order in which the shop should send them. */
const parcelsOf = (orders: readonly DeskOrder[]): DeskOrder[][] => {
  const parcels = new Map<string, DeskOrder[]>();
  for (const order of orders.toReversed()) {
    // The orders of an erased buyer have nothing in common any more.
    const key =
      order.buyer.email === ''
        ? order._id
        : `${order.buyer._id} ${order.buyer.email} ${order.deliveryAddress ?? ''}`;
    const parcel = parcels.get(key);
    if (parcel) parcel.push(order);
    else parcels.set(key, [order]);
  }
  return [...parcels.values()];
};
