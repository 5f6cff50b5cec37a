import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/calls.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Notice } from '../../components/notice.tsx';
import { storeConfig } from '../../store-config.ts';
import { useAct } from '../acts.tsx';
import { SecondLine } from '../columns.tsx';
import { useOpenList } from '../list-context.ts';
import { SimilarNote } from '../list-view.tsx';
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
  const { act, isBusy } = useAct();
  const list = useInfiniteQuery(ordersQuery(filters));
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = list;
  const listed = data?.pages.flatMap((page) => page.body) ?? [];
  const isIncomplete = hasNextPage && listed.length < maxOrders;
  useEffect(() => {
    if (isIncomplete && !isFetching && !isError) void fetchNextPage();
  }, [isIncomplete, isFetching, isError, fetchNextPage]);

  const orders = listed.filter(({ state }) => state !== 'withdrawn');
  const waiting = orders.filter((order) => !hasAddress(order));
  const unsent = orders.filter(({ sentAt }) => sentAt === null);
  const { chosen, selected, toggle } = useSelection(unsent);
  const markable = selected.length > 0 ? selected : unsent.filter(hasAddress);
  const isReady = data && !isIncomplete;
  const isFilled = isReady && orders.length > 0;
  // The buttons are there then, so that nothing moves when the list comes.
  const isLoading = !isReady && !isError;
  const isRestricted = areSet({ ...filters, state: '' });
  const some = `${isRestricted ? ' of your search' : ''}${hasNextPage ? ', and more after these' : ''}`;
  return (
    <>
      <ViewHead
        name="Packing list"
        about={isFilled && `${counted(orders.length, 'order')}${some}, by buyer.`}
      >
        <ButtonLink href={withFilters(deskViewAddress('orders'), filters)}>Back to the orders</ButtonLink>
        {(isLoading || (isReady && markable.length > 0)) && (
          <Button
            isBusy={isBusy || isLoading}
            onClick={() => act({ ...markAsSent, run: () => markAsSent.run(markable) })}
          >
            Mark {selected.length > 0 ? selected.length.toLocaleString('en') : 'all'} as sent
          </Button>
        )}
        {(isLoading || isFilled) && (
          <Button variant="primary" isBusy={isLoading} onClick={() => window.print()}>
            Print
          </Button>
        )}
      </ViewHead>
      <SimilarNote page={data?.pages[0]} />
      <Fetched
        query={{ ...list, data: isReady ? orders : undefined, refetch: data ? fetchNextPage : list.refetch }}
        problem="The orders could not be fetched."
      >
        {() => (
          <>
            {!isFilled && (
              <Notice role="status">
                <p>{isRestricted ? 'No order of your search is to be packed.' : 'Nothing to pack.'}</p>
              </Notice>
            )}
            <Parcels orders={orders.filter(hasAddress)} ticked={chosen} onTick={toggle} />
            {waiting.length > 0 && (
              <section className="stack tight" aria-labelledby={waitingId}>
                <h2 id={waitingId}>No address yet</h2>
                <p className="soft">These buyers have not said where to send their books.</p>
                <Parcels heading="h3" orders={waiting} ticked={chosen} onTick={toggle} />
              </section>
            )}
          </>
        )}
      </Fetched>
    </>
  );
};

/** Without delivery nothing has an address, and all is handed over. */
const hasAddress = ({ deliveryAddress }: DeskOrder): boolean =>
  !storeConfig.hasDelivery || Boolean(deliveryAddress);

type ParcelsProps = {
  heading?: 'h2' | 'h3';
  orders: readonly DeskOrder[];
  ticked: ReadonlySet<string>;
  onTick: (id: string) => void;
};

const Parcels = ({ heading: Heading = 'h2', orders, ticked, onTick }: ParcelsProps) => (
  <ol className={`stack ${styles.parcels}`}>
    {parcelsOf(orders).map(({ buyer, address, orders }) => (
      <li key={orders[0]?._id}>
        <Heading>
          {buyer.email === '' ? 'An erased customer' : <bdi>{buyer.name}</bdi>}{' '}
          <SecondLine>{buyer.email}</SecondLine>
        </Heading>
        {address && (
          <p className={`lines ${styles.address}`} dir="auto">
            {address}
          </p>
        )}
        <ul className="ruled">
          {orders.map(({ _id, title, author, placedAt, addressCorrectedAt }) => (
            <li key={_id} className={styles.order}>
              <label className="choice">
                <input type="checkbox" checked={ticked.has(_id)} onChange={() => onTick(_id)} />
                <span>
                  <cite dir="auto">{title}</cite>
                  <SecondLine>{author}</SecondLine>
                </span>
              </label>
              <p className="soft figures">
                Order {_id}
                <br />
                Placed <Time iso={placedAt} />
                {addressCorrectedAt && (
                  <span className="second">
                    Address corrected <Time iso={addressCorrectedAt} />
                  </span>
                )}
              </p>
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ol>
);

type Parcel = { buyer: DeskOrder['buyer']; address: string | null; orders: DeskOrder[] };

/** @returns the orders of each buyer to one address together, who ordered first in front: in the order in which the shop should send them. */
const parcelsOf = (orders: readonly DeskOrder[]): Parcel[] => {
  const parcels = new Map<string, Parcel>();
  for (const order of orders.toReversed()) {
    const { _id, buyer, deliveryAddress: address } = order;
    // The orders of an erased buyer have nothing in common any more.
    const key = buyer.email === '' ? _id : JSON.stringify([buyer, address]);
    const parcel = parcels.get(key) ?? { buyer, address, orders: [] };
    parcel.orders.push(order);
    parcels.set(key, parcel);
  }
  return [...parcels.values()];
};
