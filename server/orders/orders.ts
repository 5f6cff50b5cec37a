import { type Selection, sql } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import type { OrdersTotal } from '../../contract/orders-total.ts';
import { coverColour } from '../catalogue/book-columns.ts';
import type { Db, Tables } from '../database/tables.ts';
import { dayMs, timeText } from '../database/times.ts';

/** The columns that queries read. The type and the queries derive from them. */
const orderColumns = [
  'id',
  'title',
  'author',
  'price_cents as priceCents',
  'time',
  'placed_at as placedAt',
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
export const presentOrder = (order: PlacedOrder): Order => {
  const { priceCents, placedAt, sentAt, deliveryAddress, withdrawnAt, withdrawnBy } = order;
  const until = withdrawUntil(order);
  return {
    _id: order.id,
    title: order.title,
    author: order.author,
    time: order.time,
    bookId: order.bookId,
    price: centsToAmount(priceCents),
    placedAt: timeText(placedAt),
    state: stateOf(order),
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

/** An order with what is known of its book now. */
type ListedOrder = PlacedOrder & {
  /** Null for a book that never was in this catalogue. */
  image: string | null;
  coverColour: string | null;
  removedAt: number | null;
  soldOutAt: number | null;
};

/** @returns the order as a list shows it. The book of an order that was deleted keeps its cover. */
export const presentListedOrder = ({
  image,
  coverColour,
  removedAt,
  soldOutAt,
  ...order
}: ListedOrder): Order => ({
  ...presentOrder(order),
  ...(image && { image }),
  ...(coverColour !== null && { coverColour }),
  // A book that is sold out still has its page.
  ...((image === null || (removedAt !== null && soldOutAt === null)) && { bookGone: true }),
});

type OrderFilters = {
  limit: number;
  cursor?: string | undefined;
  book?: string | undefined;
  order?: string | undefined;
};

/** @returns the query of a page of a customer's orders, and of one more: newest first, of one book or one order alone. */
export function ordersPage(db: Db, customerId: string, { limit, cursor, book, order }: OrderFilters) {
  let page = placedOrders(db)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) page = page.where('id', '<', cursor);
  if (order !== undefined) page = page.where('id', '=', order);
  // An expression, so that no planner reads all orders of a book that many have bought.
  if (book !== undefined) page = page.where(sql<string>`book_id || ''`, '=', book);
  return db
    .selectFrom(page.as('page'))
    .leftJoin('books', 'books.id', 'page.bookId')
    .selectAll('page')
    .select(['books.image', coverColour, 'books.removed_at as removedAt', 'books.sold_out_at as soldOutAt'])
    .orderBy('page.id', 'desc');
}

/** A customer's orders, newest first. @returns also the cursor of the next page, when there is one. */
export async function listOrders(
  db: Db,
  customerId: string,
  filters: OrderFilters,
): Promise<{ orders: ListedOrder[]; nextCursor: string | undefined }> {
  const { limit } = filters;
  const found = await ordersPage(db, customerId, filters).execute();
  const orders = found.slice(0, limit);
  return { orders, nextCursor: found.length > limit ? orders.at(-1)?.id : undefined };
}

/** @returns how many books the customer has bought and not given back, and for how much. */
export async function totalOrders(db: Db, customerId: string): Promise<OrdersTotal> {
  const { books, cents } = await db
    .selectFrom('orders')
    .select(({ fn }) => [fn.countAll().as('books'), fn.sum('price_cents').as('cents')])
    .where('customer_id', '=', customerId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { books: Number(books), amount: centsToAmount(Number(cents)) };
}
