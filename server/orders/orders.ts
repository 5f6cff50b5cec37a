import { sql } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import type { Order, OrdersQuery } from '../../contract/order.ts';
import { coverColour } from '../catalogue/book-columns.ts';
import { engineOf } from '../database/engine.ts';
import { cutPage } from '../database/row-pages.ts';
import type { Db } from '../database/tables.ts';
import { dayMs, timeText } from '../database/times.ts';
import { missing, Problem } from '../http/problems.ts';
import { paymentColumns, presentPayment } from '../payments/payments.ts';

export const orderColumns = [
  'id',
  'customer_id as customerId',
  'title',
  'author',
  'price_cents as priceCents',
  'time',
  'buyer_name as buyerName',
  'buyer_email as buyerEmail',
  'placed_at as placedAt',
  'sent_at as sentAt',
  'book_id as bookId',
  'delivery_address as deliveryAddress',
  'address_corrected_at as addressCorrectedAt',
  'withdrawal_days as withdrawalDays',
  'withdrawn_at as withdrawnAt',
  'withdrawn_by as withdrawnBy',
  'withdrawal_reason as withdrawalReason',
  'refunded_at as refundedAt',
  'returned_at as returnedAt',
  'note',
  'number',
  'currency',
  'cancelled_at as cancelledAt',
  'delivery_name as deliveryName',
  'delivery_cents as deliveryCents',
  'asks_address as asksAddress',
  'pays_on_collection as paysOnCollection',
  'gift',
  'tracking',
] as const;

export const storedOrders = (db: Db) =>
  db
    .selectFrom('orders')
    .leftJoin(paymentColumns(db), 'paymentOf', 'id')
    .select(orderColumns)
    .select(['paymentState', 'paymentUntil', 'paymentWay', 'paidAt', 'paidCents', 'paidBackCents']);

/** `priceCents`: integer cents; `time`: the checkout day as the browser wrote it. An erased customer's orders have an empty buyer. */
export type StoredOrder = Awaited<ReturnType<ReturnType<typeof storedOrders>['execute']>>[number];

/** Locks orders. @returns them in the order of their ids, as they stay until the end of the transaction. */
export const lockOrders = (db: Db, ids: readonly string[]): Promise<StoredOrder[]> =>
  engineOf(db)
    .lockedInOrder(storedOrders(db).where('id', 'in', ids).orderBy('id'), 'orders')
    .execute();

/** @throws {Problem} ORDER_NOT_FOUND. */
export async function lockOrder(db: Db, id: string): Promise<StoredOrder> {
  const [order] = await lockOrders(db, [id]);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return order;
}

/** The price of the book and its delivery. @returns integer cents. */
export const totalCents = ({
  priceCents,
  deliveryCents,
}: Pick<StoredOrder, 'priceCents' | 'deliveryCents'>): number => priceCents + (deliveryCents ?? 0);

/** @param ways the ways to pay. @returns the order as the API shows it (spec section 3), its price as an amount such as 12.99. */
export const presentOrder = (order: StoredOrder, ways: readonly string[] = []): Order => {
  const { priceCents, placedAt, sentAt, deliveryAddress, withdrawnAt, withdrawnBy } = order;
  const until = withdrawUntil(order);
  return {
    _id: order.id,
    number: order.number,
    title: order.title,
    author: order.author,
    time: order.time,
    bookId: order.bookId,
    price: centsToAmount(priceCents),
    placedAt: timeText(placedAt),
    state: stateOf(order),
    ...(sentAt !== null && { sentAt: timeText(sentAt) }),
    ...(order.tracking !== null && { tracking: order.tracking }),
    ...(until !== undefined && { withdrawUntil: timeText(until) }),
    ...(withdrawnAt !== null && { withdrawnAt: timeText(withdrawnAt) }),
    ...(withdrawnBy !== null && { withdrawnBy }),
    ...(deliveryAddress !== null && { deliveryAddress }),
    ...(order.deliveryName !== null && {
      delivery: {
        name: order.deliveryName,
        price: centsToAmount(order.deliveryCents ?? 0),
        asksAddress: order.asksAddress === 1,
        payOnCollection: order.paysOnCollection === 1,
      },
    }),
    total: centsToAmount(totalCents(order)),
    ...(order.gift !== null && { gift: { text: order.gift } }),
    ...presentPayment(order, ways),
  };
};

function stateOf({ sentAt, withdrawnAt, cancelledAt }: StoredOrder): Order['state'] {
  if (cancelledAt !== null) return 'cancelled';
  if (withdrawnAt !== null) return 'withdrawn';
  return sentAt === null ? 'new' : 'sent';
}

/**
 * @returns the end of the withdrawal period, in milliseconds since 1970: the end of the day (UTC) so many days after the order was sent. An
 * unsent order counts as sent today. Undefined if the buyer may not withdraw.
 */
export function withdrawUntil(
  { sentAt, withdrawalDays, withdrawnAt, cancelledAt }: StoredOrder,
  now = Date.now(),
): number | undefined {
  if (!withdrawalDays || withdrawnAt !== null || cancelledAt !== null) return undefined;
  const until = (Math.floor((sentAt ?? now) / dayMs) + withdrawalDays + 1) * dayMs - 1;
  return until < now ? undefined : until;
}

type ListedOrder = Awaited<ReturnType<typeof findOrder>>;

/** @returns the order with what screens show of its book. A deleted book keeps its cover; a book that this catalogue never had has none. */
export const presentListedOrder = (order: ListedOrder, ways: readonly string[] = []): Order => {
  const { image, coverColour, removedAt, soldOutAt } = order;
  return {
    ...presentOrder(order, ways),
    ...(image && { image }),
    ...(coverColour !== null && { coverColour }),
    // A sold-out book still has a page.
    ...((image === null || (removedAt !== null && soldOutAt === null)) && { bookGone: true }),
  };
};

/** @returns the query of a page of a customer's orders, plus one order: newest first, optionally of one book or with one id. */
export function ordersPage(
  db: Db,
  customerId: string,
  { limit = maxPageSize, cursor, book, order }: OrdersQuery,
) {
  let page = storedOrders(db)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) page = page.where('id', '<', cursor);
  if (order !== undefined) page = page.where('id', '=', order);
  // The expression stops planners from reading all orders of a book that many customers have bought.
  if (book !== undefined) page = page.where(sql<string>`book_id || ''`, '=', book);
  return db
    .selectFrom(page.as('page'))
    .leftJoin('books', 'books.id', 'page.bookId')
    .selectAll('page')
    .select(['books.image', coverColour, 'books.removed_at as removedAt', 'books.sold_out_at as soldOutAt'])
    .orderBy('page.id', 'desc');
}

/** Finds a customer's order. @throws {Problem} ORDER_NOT_FOUND, also for another customer's order. */
export const findOrder = (db: Db, customerId: string, id: string) =>
  ordersPage(db, customerId, { order: id, limit: 1 }).executeTakeFirstOrThrow(missing('ORDER_NOT_FOUND'));

/** Lists a customer's orders, newest first. @returns also the cursor of the next page, if there is one. */
export async function listOrders(db: Db, customerId: string, query: OrdersQuery) {
  const found = await ordersPage(db, customerId, query).execute();
  const { items: orders, last } = cutPage(found, query.limit ?? maxPageSize);
  return { orders, nextCursor: last?.id };
}
