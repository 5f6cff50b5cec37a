import type { Selection } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import type { Db, Tables } from '../database/tables.ts';
import { dayMs, timeText } from '../database/times.ts';

/** The columns that queries read. The type and the queries derive from them. */
export const orderColumns = [
  'id',
  'title',
  'author',
  'price_cents as priceCents',
  'time',
  'book_id as bookId',
  'sent_at as sentAt',
  'delivery_address as deliveryAddress',
  'withdrawal_days as withdrawalDays',
  'withdrawn_at as withdrawnAt',
  'withdrawn_by as withdrawnBy',
] as const;

/** @returns a query of orders as they were placed. */
export const placedOrders = (db: Db) => db.selectFrom('orders').select(orderColumns);

/** An order as it was placed: `priceCents` in integer cents, `time` the checkout day as the browser wrote it. */
export type PlacedOrder = Selection<Tables, 'orders', (typeof orderColumns)[number]>;

/** @returns the order as the API shows it (spec section 3), its price as an amount such as 12.99. */
export const presentOrder = ({
  id,
  priceCents,
  sentAt,
  deliveryAddress,
  withdrawalDays,
  withdrawnAt,
  withdrawnBy,
  image,
  ...order
}: PlacedOrder & { image?: string | null }): Order => {
  const until = withdrawUntil({ sentAt, withdrawalDays, withdrawnAt });
  return {
    _id: id,
    ...order,
    price: centsToAmount(priceCents),
    state: stateOf({ sentAt, withdrawnAt }),
    ...(image && { image }),
    ...(sentAt !== null && { sentAt: timeText(sentAt) }),
    ...(until !== undefined && { withdrawUntil: timeText(until) }),
    ...(withdrawnAt !== null && { withdrawnAt: timeText(withdrawnAt) }),
    ...(withdrawnBy !== null && { withdrawnBy }),
    ...(deliveryAddress !== null && { deliveryAddress }),
  };
};

/** @returns the state of an order as the API names it. */
export function stateOf({
  sentAt,
  withdrawnAt,
}: Pick<PlacedOrder, 'sentAt' | 'withdrawnAt'>): Order['state'] {
  if (withdrawnAt !== null) return 'withdrawn';
  return sentAt === null ? 'new' : 'sent';
}

/**
 * @returns until when the buyer may withdraw, in milliseconds since 1970: the end of the day (UTC) that comes so many days after
 * the one on which it was sent. An order that is not sent yet counts as sent today. Undefined when they may not.
 */
export function withdrawUntil(
  { sentAt, withdrawalDays, withdrawnAt }: Pick<PlacedOrder, 'sentAt' | 'withdrawalDays' | 'withdrawnAt'>,
  now = Date.now(),
): number | undefined {
  if (!withdrawalDays || withdrawnAt !== null) return undefined;
  const until = (Math.floor((sentAt ?? now) / dayMs) + withdrawalDays + 1) * dayMs - 1;
  return until < now ? undefined : until;
}

/** A customer's orders, newest first. @returns also the cursor of the next page, when there is one. */
export async function listOrders(
  db: Db,
  customerId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ orders: (PlacedOrder & { image: string | null })[]; nextCursor: string | undefined }> {
  let query = db
    .selectFrom('orders')
    .select(({ selectFrom }) => [
      ...orderColumns,
      selectFrom('books').select('image').whereRef('books.id', '=', 'orders.book_id').as('image'),
    ])
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const found = await query.execute();
  const orders = found.slice(0, limit);
  return { orders, nextCursor: found.length > limit ? orders.at(-1)?.id : undefined };
}
