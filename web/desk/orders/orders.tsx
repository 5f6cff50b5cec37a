import { useMemo } from 'react';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { deskOrdersQuery, downloadAddress, withFilters } from '../../api/desk-queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { ExportLinks } from '../export-links.tsx';
import { ChoiceFilter, DayFilters, FilterBar, TextFilter } from '../filters.tsx';
import { areSet, useFilters } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { useMarkOrders } from './mark-orders.tsx';
import { columnsWith } from './order-columns.tsx';
import styles from './orders.module.css';
import { PackingList } from './packing-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

const filterNames = ['state', 'q', 'from', 'to'] as const;
const noFilters = { state: '', q: '', from: '', to: '' };
const stateNames = { '': 'All orders', new: 'New, to be sent', sent: 'Sent', withdrawn: 'Withdrawn' };
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
  const { items: orders = [], list } = found;
  const { markNotice, ...marking } = useMarkOrders();
  const selection = useSelection(orders);
  const { chosen, toggle } = selection;
  const columns = useMemo(() => columnsWith(chosen, toggle), [chosen, toggle]);
  const exportAs = (format: string) => downloadAddress(deskPaths.ordersExport, { format, ...filters });
  const packingFilters = { packing: 'yes', ...filters, state: filters.state === 'sent' ? 'sent' : 'new' };
  const isNewAlone = filters.state === 'new' && !areSet({ ...filters, state: '' });

  return (
    <>
      <ViewHead name="Orders" about="Newest first. Days and times are in UTC.">
        <ButtonLink href={withFilters(deskViewAddress('orders'), packingFilters)}>Packing list</ButtonLink>
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
        error={list.error}
      >
        <ChoiceFilter
          label="Show"
          value={filters.state}
          onChange={(state) => change({ state })}
          choices={stateNames}
        />
        <DayFilters filters={filters} change={change} error={list.error} />
        <ExportLinks label="Export as" links={{ CSV: exportAs('csv'), 'JSON Lines': exportAs('jsonl') }} />
      </FilterBar>
      <DeskList
        found={found}
        label="Orders"
        columns={columns}
        className={styles.table}
        problem="The orders could not be fetched."
        whenEmpty={
          areSet(filters)
            ? {
                text: isNewAlone ? 'No new orders.' : 'No order matches.',
                button: 'Show all orders',
                onClick: () => change(noFilters),
              }
            : { text: 'No orders yet.' }
        }
      >
        <SelectionBar
          orders={orders}
          selection={selection}
          marking={marking}
          isComplete={!list.hasNextPage}
        />
      </DeskList>
      {markNotice}
    </>
  );
};
