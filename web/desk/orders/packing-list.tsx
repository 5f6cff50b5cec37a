import { useQuery, useQueryClient } from '@tanstack/react-query';
import { counted } from '../../../contract/counted.ts';
import { maxAtOnce } from '../../../contract/desk/limits.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
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

const filterNames = ['state', 'q', 'from', 'to'];

/** A link to the packing list of the listed orders. */
export const PackingLink = () => {
  const { filters } = useOpenList();
  const state = filters['state'] === 'sent' ? 'sent' : 'new';
  return (
    <ButtonLink href={deskViewAddress('orders', { packing: 'yes', ...filters, state })}>
      Packing list
    </ButtonLink>
  );
};

/** The filtered orders as a list for paper or a phone: a parcel for each buyer and address, and a box to tick for each book. */
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
  const orders = pages.flatMap((page) => page.body).filter(({ state }) => state !== 'withdrawn');
  const unsent = orders.filter(({ sentAt }) => sentAt === null);
  const { chosen, selected, toggle } = useSelection(unsent);
  const { act, isBusy } = useAct();
  const markable = selected.length > 0 ? selected : unsent.filter(hasAddress);
  const isRestricted = areSet({ ...filters, state: '' });
  const some = `${isRestricted ? ' of your search' : ''}${pages.at(-1)?.next ? ', and more after these' : ''}`;
  return (
    <>
      <ViewHead
        name="Packing list"
        about={orders.length > 0 && `${counted(orders.length, 'order')}${some}, by buyer.`}
      >
        <ButtonLink href={deskViewAddress('orders', filters)}>Back to the orders</ButtonLink>
        <Button
          isBusy={isBusy || markable.length === 0}
          onClick={() => act({ ...markAsSent, run: () => markAsSent.run(markable) })}
        >
          Mark {selected.length > 0 ? selected.length.toLocaleString('en') : 'all'} as sent
        </Button>
        <Button variant="primary" isBusy={orders.length === 0} onClick={() => window.print()}>
          Print
        </Button>
      </ViewHead>
      <SimilarNote page={pages[0]} />
      <Fetched query={packing} problem="The orders could not be fetched.">
        {() =>
          orders.length > 0 ? (
            <Parcels orders={orders} ticked={chosen} onTick={toggle} />
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

/** Without delivery there are no addresses, and all books are handed over. */
const hasAddress = ({ deliveryAddress }: DeskOrder): boolean =>
  !storeConfig.hasDelivery || Boolean(deliveryAddress);

type ParcelsProps = {
  orders: readonly DeskOrder[];
  ticked: ReadonlySet<string>;
  onTick: (id: string) => void;
};

const Parcels = ({ orders, ticked, onTick }: ParcelsProps) => (
  <ol className={`stack ${styles.parcels}`}>
    {parcelsOf(orders).map(([first, orders]) => (
      <li key={first._id} className="stack tight">
        <h2>
          {first.buyer.email === '' ? 'An erased customer' : <bdi>{first.buyer.name}</bdi>}{' '}
          <SecondLine>{first.buyer.email}</SecondLine>
        </h2>
        {hasAddress(first) ? (
          <p className={`lines ${styles.address}`} dir="auto">
            {first.deliveryAddress}
          </p>
        ) : (
          <p className="soft">No address yet</p>
        )}
        <ul className="ruled">
          {orders.map(({ _id, title, author, placedAt, addressCorrectedAt }) => (
            <li key={_id} className="cluster ends">
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

/**
 * @returns the parcels: the orders of one buyer to one address, with the first of them. The earliest order comes first, as the shop should
 * send them; buyers without an address come last.
 */
const parcelsOf = (orders: readonly DeskOrder[]): [first: DeskOrder, orders: DeskOrder[]][] => {
  const oldestFirst = orders.toReversed();
  // Orders of erased buyers cannot share a parcel: their buyers are unknown.
  const parcels = Map.groupBy(oldestFirst, ({ _id, buyer, deliveryAddress }) =>
    buyer.email === '' ? _id : JSON.stringify([buyer, deliveryAddress]),
  );
  return [...parcels.values()]
    .flatMap((parcel): [DeskOrder, DeskOrder[]][] => (parcel[0] ? [[parcel[0], parcel]] : []))
    .sort(([one], [other]) => Number(hasAddress(other)) - Number(hasAddress(one)));
};
