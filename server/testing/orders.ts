import { firstIdAt } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { newOrderNumber } from '../orders/order-number.ts';
import { reader } from './test-store.ts';

/** An order, as its row in the table. */
export type PlacedOrder = {
  /** The time in milliseconds since 1970. */
  at: number;
  bookId?: string;
  title?: string;
  author?: string;
  priceCents?: number;
  deliveryCents?: number | undefined;
  name?: string;
  email?: string;
  sentAt?: number;
  deliveryAddress?: string;
};

let lastSerial = 0;

/** Adds orders of a customer without placing them. @returns their ids, which sort by time, and then by the given order. */
export async function addOrders(
  db: Db,
  customerId: string,
  orders: readonly PlacedOrder[],
): Promise<string[]> {
  const rows = orders.map(({ at, ...order }) => {
    lastSerial += 1;
    return {
      customer_id: customerId,
      id: `${firstIdAt(at)}-7000-8000-${String(lastSerial).padStart(12, '0')}`,
      number: newOrderNumber(),
      book_id: order.bookId ?? 'b1',
      title: order.title ?? 'Emma',
      author: order.author ?? 'Jane Austen',
      price_cents: order.priceCents ?? 1299,
      ...(order.deliveryCents !== undefined && {
        delivery_name: 'Post',
        delivery_cents: order.deliveryCents,
      }),
      time: new Date(at).toDateString(),
      buyer_name: order.name ?? reader.name,
      buyer_email: order.email ?? reader.email,
      placed_at: at,
      sent_at: order.sentAt ?? null,
      delivery_address: order.deliveryAddress ?? null,
    };
  });
  const ids = rows.map(({ id }) => id);
  while (rows.length > 0) await db.insertInto('orders').values(rows.splice(0, 500)).execute();
  return ids;
}

/** @returns the id of the customer with this subject. */
export async function customerIdOf(db: Db, sub = reader.sub): Promise<string> {
  const customers = db.selectFrom('customers').select('id').where('sub', '=', sub);
  return (await customers.executeTakeFirstOrThrow()).id;
}
