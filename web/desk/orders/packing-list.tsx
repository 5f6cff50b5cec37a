import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { counted } from '../../../contract/counted.ts';
import { maxAtOnce } from '../../../contract/desk/limits.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import type { Filters } from '../../../contract/paths.ts';
import { list } from '../../api/calls.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Lines } from '../../components/lines.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { asksAddress, storeConfig } from '../../store-config.ts';
import { useAct } from '../acts.tsx';
import { SecondLine } from '../columns.tsx';
import { useFilters } from '../filters.tsx';
import { SimilarNote } from '../list-view.tsx';
import { buyerName } from '../order-columns.tsx';
import { useSelection } from '../selection.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import { markAsHandedOver, markAsSent } from './order-acts.tsx';
import styles from './packing-list.module.css';

export const ordersQuery = (filters: Filters) =>
  list<DeskOrder>('desk', deskPaths.orders, filters, { forgives: true });

const filterNames = ['state', 'q', 'from', 'to'];

/** Leads from the listed orders to what the owner does with them. */
export const NextStep = ({ filters }: { filters: Filters }) => {
  const [name, next] =
    filters['state'] === 'due'
      ? ['Import payments', { payments: 'import' }]
      : ['Packing list', { packing: 'yes', ...filters, state: filters['state'] === 'sent' ? 'sent' : 'new' }];
  return <ButtonLink href={deskViewAddress('orders', next)}>{name}</ButtonLink>;
};

/** The filtered orders as a list for paper or a phone: a parcel for each buyer and address, and a box to tick for each book. Each way has its list. */
export const PackingList = () => {
  const { filters } = useFilters(filterNames);
  const client = useQueryClient();
  const packing = useQuery({
    queryKey: ['desk', 'packing list', filters],
    // Nobody packs more from one list. The other orders come when these are marked as sent.
    queryFn: () => client.fetchInfiniteQuery({ ...ordersQuery(filters), pages: maxAtOnce / maxPageSize }),
    gcTime: 0,
  });
  const pages = packing.data?.pages ?? [];
  const listed = pages.flatMap((page) => page.body).filter(({ state }) => state !== 'withdrawn');
  const orders = listed.toReversed();
  const unsent = orders.filter(({ sentAt }) => sentAt === null);
  const { chosen, selected, toggle } = useSelection(unsent);
  const { act, isBusy } = useAct();
  const markable = selected.length > 0 ? selected : unsent.filter(isReady);
  const mark = markable.some(asksAddress) ? markAsSent : markAsHandedOver;
  const [isOfLabels, setIsOfLabels] = useState(false);
  const printLabels = () => {
    window.addEventListener('afterprint', () => setIsOfLabels(false), { once: true });
    flushSync(() => setIsOfLabels(true));
    window.print();
  };
  const isRestricted = Object.values({ ...filters, state: '' }).some(Boolean);
  const some = `${isRestricted ? ' of your search' : ''}${pages.at(-1)?.next ? ', and more after these' : ''}`;
  return (
    <>
      <ViewHead
        name="Packing list"
        about={orders.length > 0 && `${counted(orders.length, 'order')}${some}, by buyer.`}
      >
        <ButtonLink href={deskViewAddress('orders', filters)}>Back to the orders</ButtonLink>
        {markable.length > 0 && (
          <Button isBusy={isBusy} onClick={() => act({ ...mark, run: () => mark.run(markable) })}>
            Mark {selected.length > 0 ? selected.length.toLocaleString('en') : 'all'} as {mark.state}
          </Button>
        )}
        {orders.some(({ deliveryAddress }) => deliveryAddress) && (
          <Button onClick={printLabels}>Print labels</Button>
        )}
        <Button variant="primary" isBusy={orders.length === 0} onClick={() => window.print()}>
          Print
        </Button>
      </ViewHead>
      <SimilarNote page={pages[0]} />
      <Fetched query={packing} problem="The orders could not be fetched.">
        {() =>
          orders.length > 0 ? (
            <>
              <Parcels orders={orders} ticked={chosen} onTick={toggle} />
              {isOfLabels && <Labels orders={selected.length > 0 ? selected : orders} />}
            </>
          ) : (
            <Notice role="status">
              <p>{isRestricted ? 'No order of your search is to be packed.' : 'Nothing to pack.'}</p>
            </Notice>
          )
        }
      </Fetched>
    </>
  );
};

/** Without delivery there are no addresses, and books are handed over. */
const hasAddress = (order: DeskOrder): boolean => !asksAddress(order) || Boolean(order.deliveryAddress);

/** An order that is paid on collection is marked alone, when its buyer has come. */
const isReady = (order: DeskOrder): boolean => hasAddress(order) && !order.delivery?.payOnCollection;

type ParcelsProps = {
  orders: readonly DeskOrder[];
  ticked: ReadonlySet<string>;
  onTick: (id: string) => void;
};

const byWay = (orders: readonly DeskOrder[]) => Map.groupBy(orders, ({ delivery }) => delivery?.name);

const Parcels = ({ orders, ...ticks }: ParcelsProps) => (
  <>
    {[...byWay(orders)].map(([way, ofWay]) => (
      <section key={way ?? ''} className={`stack ${styles.way}`} aria-label={way}>
        {way !== undefined && <h2 dir="auto">{way}</h2>}
        <ol className={`ruled ${styles.parcels}`}>
          {parcelsOf(ofWay).map((parcel) => (
            <Parcel key={parcel[0]?._id} orders={parcel} {...ticks} />
          ))}
        </ol>
      </section>
    ))}
    {orders.map((order) => order.gift && <Slip key={order._id} order={order} words={order.gift.text} />)}
  </>
);

const Parcel = ({ orders, ticked, onTick }: ParcelsProps) => {
  const [first] = orders;
  if (!first) return null;
  const { buyer, delivery, deliveryAddress, gift } = first;
  const Heading = delivery ? 'h3' : 'h2';
  return (
    <li className="stack tight">
      <Heading>
        <bdi>{buyerName(buyer)}</bdi> {gift && <span className="tag open">Gift</span>}
        <SecondLine>{buyer.email}</SecondLine>
      </Heading>
      {!hasAddress(first) && <p className="soft">No address yet</p>}
      <Lines text={deliveryAddress} isProse />
      <Lines text={gift?.text} />
      <ul className="stack tight">
        {orders.map(({ _id, number, title, author, placedAt, addressCorrectedAt, total }) => (
          <li key={_id} className="cluster ends">
            <label className="choice">
              <input type="checkbox" checked={ticked.has(_id)} onChange={() => onTick(_id)} />
              <span>
                <cite dir="auto">{title}</cite>
                <SecondLine>{author}</SecondLine>
              </span>
            </label>
            <p className="soft figures">
              Order {number}, placed <Time iso={placedAt} />
              {addressCorrectedAt && (
                <span className="second">
                  Address corrected <Time iso={addressCorrectedAt} />
                </span>
              )}
              {delivery?.payOnCollection && (
                <span className="second">
                  To be paid on collection: <Price value={total} />
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </li>
  );
};

/** Only on paper, and then alone: the addresses of the parcels, four to a sheet. */
const Labels = ({ orders }: { orders: readonly DeskOrder[] }) => (
  <ol className={styles.labels} aria-label="Labels">
    {[...byWay(orders).values()].flatMap(parcelsOf).map((parcel) => {
      const [first] = parcel;
      if (!first?.deliveryAddress) return null;
      return (
        <li key={first._id} className="stack">
          <Lines text={first.deliveryAddress} isProse />
          <p className="soft">
            {storeConfig.name}, {parcel.map(({ number }) => number).join(', ')}
          </p>
        </li>
      );
    })}
  </ol>
);

/** Only on paper: it goes into the parcel of a gift, so it has no price. */
const Slip = ({ order: { title, author, buyer }, words }: { order: DeskOrder; words: string }) => (
  <aside className={`stack ${styles.slip}`} aria-label={`Slip for ${title}`}>
    <p>{storeConfig.name}</p>
    <Lines text={words} isProse />
    <p>
      <cite dir="auto">{title}</cite>, <bdi>{author}</bdi>
    </p>
    <p className="soft">
      A gift from <bdi>{buyer.name}</bdi>
    </p>
  </aside>
);

/**
 * @param orders the earliest order first, as the shop should send them. @returns the parcels: the orders of one buyer to one address. A gift
 * is a parcel of its own. Gifts come first, and parcels without an address last.
 */
const parcelsOf = (orders: readonly DeskOrder[]): DeskOrder[][] => {
  const place = (order: DeskOrder) => (hasAddress(order) ? (order.gift ? 0 : 1) : 2);
  const sorted = orders.toSorted((one, other) => place(one) - place(other));
  // Orders of erased buyers cannot share a parcel: their buyers are unknown.
  const parcels = Map.groupBy(sorted, ({ _id, buyer, deliveryAddress, gift }) =>
    buyer.email === '' || gift ? _id : JSON.stringify([buyer, deliveryAddress]),
  );
  return [...parcels.values()];
};
