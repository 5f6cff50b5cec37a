import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { countText } from '../../../contract/desk/max-counted.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { orderCountsQuery } from '../../api/desk-order-queries.ts';
import { deskOrdersQuery, downloadAddress, withFilters } from '../../api/desk-queries.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { ExportLinks } from '../export-links.tsx';
import { DayFilters, FilterBar, TextFilter } from '../filters.tsx';
import { SelectionBar, selectableRows } from '../selection-bar.tsx';
import { Tabs } from '../tabs.tsx';
import { areSet, useFilters } from '../use-filters.ts';
import { useOpenPanel } from '../use-open-panel.ts';
import { useSelection } from '../use-selection.ts';
import { ViewHead } from '../view-head.tsx';
import { useMarkOrders } from './mark-orders.tsx';
import { columnsWith } from './order-columns.tsx';
import { OrderPanel } from './order-panel.tsx';
import styles from './orders.module.css';
import { PackingList } from './packing-list.tsx';

const filterNames = ['state', 'q', 'from', 'to'] as const;
const noFilters = { state: '', q: '', from: '', to: '' };
const stateNames = { new: 'To send', sent: 'Sent', withdrawn: 'Withdrawn', '': 'All' };
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
  const marking = useMarkOrders();
  const selection = useSelection(orders);
  const { chosen, toggle } = selection;
  const { openId, open, close } = useOpenPanel('order');
  const opening = useRef(open);
  opening.current = open;
  const openOne = useCallback((id: string) => opening.current(id), []);
  const columns = useMemo(() => columnsWith(chosen, toggle, openOne), [chosen, toggle, openOne]);
  // The store counts no matches of a search: it would read every order.
  const days = { from: filters.from, to: filters.to };
  const counts = useQuery({ ...orderCountsQuery(days), enabled: filters.q === '' });
  const spelling = found.pages[0]?.isSimilar ? 'similar' : '';
  const exportAs = (format: string) =>
    downloadAddress(deskPaths.ordersExport, { format, ...filters, spelling });
  const packingFilters = { packing: 'yes', ...filters, state: filters.state === 'sent' ? 'sent' : 'new' };
  const isNewAlone = filters.state === 'new' && !areSet({ ...filters, state: '' });

  return (
    <>
      <ViewHead name="Orders" about="Newest first.">
        <ButtonLink href={withFilters(deskViewAddress('orders'), packingFilters)}>Packing list</ButtonLink>
      </ViewHead>
      <Tabs
        label="Which orders"
        tabs={Object.entries(stateNames).map(([state, name]) => {
          const count = filters.q === '' ? counts.data?.[countedAs(state)] : undefined;
          return {
            name,
            filters: { ...filters, state },
            isCurrent: filters.state === state,
            count: count === undefined ? undefined : countText(count),
          };
        })}
      />
      <FilterBar
        label="Filter the orders"
        main={
          <TextFilter
            label="Search"
            value={filters.q}
            onChange={(q) => change({ q })}
            placeholder="Buyer, e-mail, book or id"
          />
        }
        values={[filters.from, filters.to]}
        error={list.error}
      >
        <DayFilters filters={filters} change={change} error={list.error} />
        <ExportLinks label="Export as" links={{ CSV: exportAs('csv'), 'JSON Lines': exportAs('jsonl') }} />
      </FilterBar>
      <DeskList
        found={found}
        label="Orders"
        columns={columns}
        className={`${styles.table} ${selectableRows}`}
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
        <MarkBar orders={orders} selection={selection} marking={marking} isComplete={!list.hasNextPage} />
      </DeskList>
      {openId && <OrderPanel key={openId} id={openId} marking={marking} onClose={() => close(openId)} />}
    </>
  );
};

const countedAs = (state: string) =>
  state === 'new' || state === 'sent' || state === 'withdrawn' ? state : 'all';

type MarkBarProps = {
  orders: readonly DeskOrder[];
  selection: ReturnType<typeof useSelection<DeskOrder>>;
  marking: Pick<ReturnType<typeof useMarkOrders>, 'mark' | 'isMarking'>;
  isComplete: boolean;
};

/** Marks the orders that are selected. */
const MarkBar = ({ orders, selection, marking: { mark, isMarking }, isComplete }: MarkBarProps) => {
  const { selected, choose } = selection;
  const selectAll = useRef<HTMLInputElement>(null);
  const markSelected = (isSent: boolean) => {
    const onMarked = () => {
      flushSync(() => choose([]));
      // The button is gone with the selection.
      if (document.activeElement === document.body) selectAll.current?.focus();
    };
    mark(selected, isSent, { onMarked });
  };
  return (
    <SelectionBar
      items={orders}
      noun="order"
      selection={selection}
      isComplete={isComplete}
      selectAll={selectAll}
    >
      {selected.some(({ state }) => state === 'new') && (
        <Button variant="primary" isBusy={isMarking} onClick={() => markSelected(true)}>
          Mark as sent
        </Button>
      )}
      {selected.some(({ state }) => state === 'sent') && (
        <Button isBusy={isMarking} onClick={() => markSelected(false)}>
          Mark as new
        </Button>
      )}
    </SelectionBar>
  );
};
