import { useSearchParams } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { downloadAddress } from '../../api/changes.ts';
import { ButtonLink } from '../../components/button.tsx';
import { asksAddress, storeConfig } from '../../store-config.ts';
import { buyerName } from '../buyer-name.ts';
import { amount, book, day, OneLine, state, text } from '../columns.tsx';
import { listView } from '../list-view.tsx';
import { StateTag } from '../state-tag.tsx';
import { marks } from './marks.ts';
import { OrderPanel } from './order-panel.tsx';
import { ordersQuery, PackingLink, PackingList } from './packing-list.tsx';
import { PaymentsImport } from './payments-import.tsx';
import { Refund } from './take-back.tsx';

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
    label: 'Which orders',
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
  exports: {
    label: 'Export as',
    links: (filters) => ({
      CSV: downloadAddress(deskPaths.ordersExport, { format: 'csv', ...filters }),
      'JSON Lines': downloadAddress(deskPaths.ordersExport, { format: 'jsonl', ...filters }),
    }),
  },
  Actions: PackingLink,
  beside: storeConfig.payments.length > 0 && (
    <ButtonLink href={deskViewAddress('orders', { payments: 'import' })}>Import payments</ButtonLink>
  ),
  nameOf: ({ title, buyer }) => `${title}, for ${buyerName(buyer)}`,
  columns: ({ state: which }) => [
    book('Book', ({ _id, bookId, title, author, image = '', note, gift }) => ({
      cover: { _id: bookId, title, author, image },
      title,
      opens: _id,
      tag: (gift || note !== null) && (
        <>
          {gift && <span className="tag">Gift</span>} {note !== null && <span className="tag">Note</span>}
        </>
      ),
      below: [author],
    })),
    text('Buyer', ({ buyer }) => <OneLine>{buyerName(buyer)}</OneLine>, { width: '12%' }),
    text('Place', placeOf, { width: '21%' }),
    amount('Total', ({ total }) => total, { width: '5.5rem' }),
    day('Placed', ({ placedAt }) => placedAt),
    which === 'withdrawn' ? refunded : state('State', (order) => <StateTag order={order} />),
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

const refunded = state<DeskOrder>('Refunded', (order) => <Refund order={order} isBrief />, { width: '9rem' });

/** The town and the country of the address, or the way of an order without one. */
const placeOf = (order: DeskOrder) => {
  const { deliveryAddress, delivery, state } = order;
  if (!deliveryAddress && asksAddress(order))
    return state === 'new' && <strong className="problem">No address</strong>;
  const place = deliveryAddress?.split('\n').slice(-2).join(', ') ?? delivery?.name;
  return place && <OneLine isSoft>{place}</OneLine>;
};
