/** The words for an order, and the columns of orders, in their list and on Today. */
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { asksAddress } from '../store-config.ts';
import { amount, book, day, OneLine, state, text } from './columns.tsx';

/** @returns what stands in a text for a buyer. An erasure leaves neither the name nor the e-mail. */
export const buyerName = ({ name, email }: Omit<DeskOrder['buyer'], '_id'>): string =>
  email === '' ? 'an erased customer' : name;

/** The name of each state, and that of an order which its buyer collects. */
const stateNames: Record<DeskOrder['state'], readonly [name: string, collected?: string]> = {
  new: ['To send', 'To hand over'],
  sent: ['Sent', 'Handed over'],
  withdrawn: ['Withdrawn'],
  cancelled: ['Cancelled'],
};

export const isCancelled = ({ withdrawnBy, sentAt }: DeskOrder) => withdrawnBy === 'shop' && !sentAt;

/** The state of an order. It stands out while the owner must send the book, or give the money back. */
export const StateTag = ({ order }: { order: DeskOrder }) => {
  const { state, refundedAt, payment } = order;
  if (payment?.state === 'due') return <span className="tag">To be paid</span>;
  // The provider refunded this order, so it cannot be sent: the owner withdraws it.
  if (state === 'new' && payment?.state === 'refunded') return <span className="tag open">Refunded</span>;
  const isOpen = state === 'withdrawn' && refundedAt === null && payment?.state !== 'expired';
  const [name, collected = name] = stateNames[isCancelled(order) ? 'cancelled' : state];
  return (
    <span className={`tag ${state === 'new' ? 'calling' : isOpen ? 'open' : ''}`}>
      {asksAddress(order) ? name : collected}
    </span>
  );
};

/** The town and the country of the address, or the way of an order without one. */
const placeOf = (order: DeskOrder) => {
  const { deliveryAddress, delivery, state } = order;
  if (!deliveryAddress && asksAddress(order))
    return state === 'new' && <strong className="problem">No address</strong>;
  const place = deliveryAddress?.split('\n').slice(-2).join(', ') ?? delivery?.name;
  return place && <OneLine isSoft>{place}</OneLine>;
};

export const orderColumns = [
  book<DeskOrder>('Book', ({ _id, bookId, title, author, image = '', note, gift }) => ({
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
  text<DeskOrder>('Buyer', ({ buyer }) => <OneLine>{buyerName(buyer)}</OneLine>, { width: '12%' }),
  text<DeskOrder>('Place', placeOf, { width: '21%' }),
  amount<DeskOrder>('Total', ({ total }) => total, { width: '5.5rem' }),
  day<DeskOrder>('Placed', ({ placedAt }) => placedAt),
  state<DeskOrder>('State', (order) => <StateTag order={order} />),
];
