import { useSearchParams } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { downloadAddress } from '../../api/changes.ts';
import { storeConfig } from '../../store-config.ts';
import { state } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { buyerName, orderColumns } from '../order-columns.tsx';
import { marks, Refund } from './order-acts.tsx';
import { OrderPanel } from './order-panel.tsx';
import { NextStep, ordersQuery, PackingList } from './packing-list.tsx';
import { PaymentsImport } from './payments-import.tsx';

export const Orders = () => {
  const [parameters] = useSearchParams();
  if (parameters.has('packing')) return <PackingList />;
  return parameters.has('payments') ? <PaymentsImport /> : <OrderList />;
};

const OrderList = listView<DeskOrder>({
  name: 'Orders',
  one: 'order',
  query: ordersQuery,
  tabs: {
    by: 'state',
    names: {
      '': 'All',
      ...(storeConfig.payments.length > 0 && { due: 'To be paid' }),
      new: 'To send',
      ...(storeConfig.hasDelivery && { 'no-address': 'No address' }),
      sent: 'Sent',
      withdrawn: 'Withdrawn',
      ...(storeConfig.payments.length > 0 && { surplus: 'Surplus' }),
    },
    counts: deskPaths.orderCounts,
  },
  search: { placeholder: 'Buyer, e-mail, book or number' },
  days: true,
  exports: (filters) => ({
    CSV: downloadAddress(deskPaths.ordersExport, { format: 'csv', ...filters }),
    'JSON Lines': downloadAddress(deskPaths.ordersExport, { format: 'jsonl', ...filters }),
  }),
  Actions: NextStep,
  nameOf: ({ title, buyer }) => `${title}, for ${buyerName(buyer)}`,
  columns: ({ state }) => (state === 'withdrawn' ? withdrawnColumns : orderColumns),
  acts: marks,
  Panel: OrderPanel,
});

const withdrawnColumns = [
  ...orderColumns.filter(({ heading }) => heading !== 'State'),
  state<DeskOrder>('Refunded', (order) => <Refund order={order} isBrief />, { width: '9rem' }),
];
