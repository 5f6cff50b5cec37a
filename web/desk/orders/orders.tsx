import { useSearchParams } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { downloadAddress } from '../../api/changes.ts';
import { ButtonLink } from '../../components/button.tsx';
import { storeConfig } from '../../store-config.ts';
import { buyerName } from '../buyer-name.ts';
import { amount, day, state, text, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { StateTag } from '../state-tag.tsx';
import { Buyer } from './buyer.tsx';
import { marks } from './marks.ts';
import { OrderPanel } from './order-panel.tsx';
import { ordersQuery, PackingLink, PackingList } from './packing-list.tsx';
import { PaymentsImport } from './payments-import.tsx';

export const Orders = () => {
  const [parameters] = useSearchParams();
  if (parameters.has('packing')) return <PackingList />;
  return parameters.has('payments') ? <PaymentsImport /> : <OrderList />;
};

const OrderList = listView<DeskOrder>({
  name: 'Orders',
  about: 'Newest first.',
  one: 'order',
  query: ordersQuery,
  tabs: {
    label: 'Which orders',
    by: 'state',
    names: {
      ...(storeConfig.payments.length > 0 && { due: 'To be paid' }),
      new: 'To send',
      sent: 'Sent',
      withdrawn: 'Withdrawn',
      ...(storeConfig.payments.length > 0 && { surplus: 'Surplus' }),
      '': 'All',
    },
    counts: deskPaths.orderCounts,
  },
  search: { placeholder: 'Buyer, e-mail, book or number' },
  days: true,
  exports: {
    label: 'Export as',
    links: (filters) => ({
      CSV: downloadAddress(deskPaths.ordersExport, { format: 'csv', ...filters }),
      'JSON Lines': downloadAddress(deskPaths.ordersExport, { format: 'jsonl', ...filters }),
    }),
  },
  Actions: () => (
    <>
      {storeConfig.payments.length > 0 && (
        <ButtonLink href={deskViewAddress('orders', { payments: 'import' })}>Import payments</ButtonLink>
      )}
      <PackingLink />
    </>
  ),
  nameOf: ({ title, buyer }) => `${title}, for ${buyerName(buyer)}`,
  columns: [
    title('Book', ({ _id, title, author, note, gift }) => ({
      title,
      opens: _id,
      tag: (
        <>
          {gift && <span className="tag">Gift</span>} {note !== null && <span className="tag">Note</span>}
        </>
      ),
      below: [author],
    })),
    text('Buyer', (order) => <Buyer order={order} />, { width: '22%' }),
    amount('Total', ({ total }) => total),
    time('Placed', ({ placedAt }) => placedAt),
    state('State', (order) => <StateTag order={order} />),
    day('Sent', ({ sentAt }) => sentAt),
  ],
  acts: marks,
  panel: { by: 'order', Panel: OrderPanel },
  empty: {
    none: 'No orders yet.',
    matching: ({ state, ...others }) =>
      state === 'new' && Object.values(others).every((value) => !value)
        ? 'No new orders.'
        : 'No order matches.',
    all: 'Show all orders',
  },
});
