import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { DeskOrder } from '../../../../contract/desk-orders.ts';
import { deskPaths, deskViewAddress } from '../../../../contract/desk-paths.ts';
import { deskOrdersQuery, downloadAddress, withFilters } from '../../../api/desk-queries.ts';
import { Button, ButtonLink } from '../../../components/button.tsx';
import { Price } from '../../../components/price.tsx';
import type { Column } from '../../../components/responsive-table.tsx';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { DeskTable, SecondLine } from '../desk-table.tsx';
import { ExportLinks } from '../export-links.tsx';
import { areSet, ChoiceFilter, DayFilters, FilterBar, TextFilter, useFilters } from '../filters.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import { countOf, useMarkOrders } from './mark-orders.tsx';
import styles from './orders.module.css';
import { PackingList } from './packing-list.tsx';
import { toggled } from './toggled.ts';

const filterNames = ['state', 'q', 'from', 'to'] as const;
const noFilters = { state: '', q: '', from: '', to: '' };
const stateNames = { '': 'All orders', new: 'New, to be sent', sent: 'Sent' };
const packing = ['packing'] as const;

/** The orders of all customers, or the list to pack them from. Both have the same filters. */
export const Orders = () => {
  const { filters: view } = useFilters(packing);
  const { filters, change } = useFilters(filterNames);
  if (view.packing) return <PackingList filters={filters} />;
  return <OrderList filters={filters} change={change} />;
};

type OrderListProps = Pick<ReturnType<typeof useFilters<(typeof filterNames)[number]>>, 'filters' | 'change'>;

const OrderList = ({ filters, change }: OrderListProps) => {
  const found = useDeskList(deskOrdersQuery(filters));
  const { mark, isMarking, markNotice } = useMarkOrders();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const orders = found.items ?? [];
  // What is not listed any more is not chosen.
  const selected = orders.filter(({ _id }) => chosen.has(_id));

  const columns = useMemo(
    () => columnsWith(chosen, (id) => setChosen((before) => toggled(before, id))),
    [chosen],
  );
  const selectAll = useRef<HTMLInputElement>(null);
  const markSelected = (isSent: boolean) => {
    const onMarked = () => {
      flushSync(() => setChosen(new Set()));
      // The button is gone with the selection.
      if (document.activeElement === document.body) selectAll.current?.focus();
    };
    mark(selected, isSent, { onMarked });
  };
  const packingAddress = withFilters(deskViewAddress('orders'), {
    packing: 'yes',
    ...filters,
    state: filters.state || 'new',
  });

  return (
    <>
      <ViewHead name="Orders" about="Newest first. Days and times are in UTC.">
        <ButtonLink href={packingAddress}>Packing list</ButtonLink>
      </ViewHead>
      <FilterBar
        label="Filter the orders"
        main={
          <TextFilter
            label="Search"
            value={filters.q}
            onChange={(q) => change({ q })}
            placeholder="Buyer, e-mail, book or order id"
          />
        }
        values={[filters.state, filters.from, filters.to]}
        error={found.list.error}
      >
        <ChoiceFilter
          label="Show"
          value={filters.state}
          onChange={(state) => change({ state })}
          choices={stateNames}
        />
        <DayFilters filters={filters} change={change} error={found.list.error} />
        <ExportLinks
          label="Export as"
          links={{
            CSV: downloadAddress(deskPaths.ordersExport, { format: 'csv', ...filters }),
            'JSON Lines': downloadAddress(deskPaths.ordersExport, { format: 'jsonl', ...filters }),
          }}
        />
      </FilterBar>
      <DeskList
        found={found}
        problem="The orders could not be fetched."
        whenEmpty={
          areSet(filters) ? (
            <>
              <p>
                {filters.state === 'new' && !areSet({ ...filters, state: '' })
                  ? 'No new orders.'
                  : 'No order matches.'}
              </p>
              <Button onClick={() => change(noFilters)}>Show all orders</Button>
            </>
          ) : (
            <p>No orders yet.</p>
          )
        }
      >
        {(orders) => (
          <>
            <div className={styles.selection}>
              <label className={styles.selectAll}>
                <input
                  type="checkbox"
                  checked={selected.length === orders.length}
                  ref={(box) => {
                    selectAll.current = box;
                    if (box) box.indeterminate = selected.length > 0 && selected.length < orders.length;
                  }}
                  onChange={({ target }) =>
                    setChosen(new Set(target.checked ? orders.map(({ _id }) => _id) : []))
                  }
                />
                {selected.length === 0
                  ? `Select all ${orders.length.toLocaleString('en')}${found.list.hasNextPage ? ' listed' : ''}`
                  : `${countOf(selected.length)} selected`}
              </label>
              {selected.length > 0 && (
                <div className={styles.marks}>
                  {selected.some(({ sentAt }) => sentAt === null) && (
                    <Button variant="primary" isBusy={isMarking} onClick={() => markSelected(true)}>
                      Mark as sent
                    </Button>
                  )}
                  {selected.some(({ sentAt }) => sentAt !== null) && (
                    <Button isBusy={isMarking} onClick={() => markSelected(false)}>
                      Mark as new
                    </Button>
                  )}
                </div>
              )}
            </div>
            <DeskTable
              label="Orders"
              columns={columns}
              rows={orders}
              keyOf={idOf}
              found={found}
              className={styles.table}
            />
          </>
        )}
      </DeskList>
      {markNotice}
    </>
  );
};

const idOf = (order: DeskOrder): string => order._id;

const columnsWith = (chosen: ReadonlySet<string>, onToggle: (id: string) => void): Column<DeskOrder>[] => [
  {
    heading: '',
    kind: 'action',
    width: '2.75rem',
    cell: ({ _id, title, buyer }) => (
      <label className={styles.select}>
        <input
          type="checkbox"
          checked={chosen.has(_id)}
          onChange={() => onToggle(_id)}
          aria-label={`Select: ${title}, for ${buyer.name || erasedBuyer}`}
        />
      </label>
    ),
  },
  {
    heading: 'Book',
    kind: 'title',
    cell: ({ title, author }) => (
      <>
        {title}
        <SecondLine>{author}</SecondLine>
      </>
    ),
  },
  { heading: 'Buyer', kind: 'text', width: '25%', cell: ({ buyer }) => <Buyer buyer={buyer} /> },
  { heading: 'Price', kind: 'number', width: '6.5rem', cell: ({ price }) => <Price value={price} /> },
  {
    heading: 'Placed',
    kind: 'number',
    width: '11rem',
    cell: ({ placedAt }) => <Time iso={placedAt} />,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'State',
    kind: 'number',
    width: '4.5rem',
    cell: ({ sentAt }) => <Tag isCalling={sentAt === null}>{sentAt === null ? 'New' : 'Sent'}</Tag>,
  },
  {
    heading: 'Sent',
    kind: 'number',
    width: '10rem',
    cell: ({ sentAt }) => sentAt !== null && <Time iso={sentAt} />,
    isLabelledWhenCompact: true,
  },
];

export const erasedBuyer = 'an erased customer';

const Buyer = ({ buyer: { name, email } }: Pick<DeskOrder, 'buyer'>) =>
  email === '' ? (
    <span className={styles.erased}>An erased customer</span>
  ) : (
    <>
      {name}
      <Link
        className={styles.email}
        href={withFilters(deskViewAddress('customers'), { q: email })}
        aria-label={`The customer ${email}`}
      >
        {email}
      </Link>
    </>
  );
