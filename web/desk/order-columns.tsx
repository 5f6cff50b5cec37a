/** The columns of orders, in their list and on Today. */
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { asksAddress } from '../store-config.ts';
import { buyerName } from './buyer-name.ts';
import { amount, book, day, OneLine, state, text } from './columns.tsx';
import { StateTag } from './state-tag.tsx';

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
