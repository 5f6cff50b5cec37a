import { createHash } from 'node:crypto';
import type { Selection } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import { formatPrice } from '../../contract/price.ts';
import { findBooksTitled } from '../catalogue/books.ts';
import { batchedQuery } from '../database/batched-query.ts';
import { newId, timeOfId } from '../database/ids.ts';
import type { Db, Tables } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { isCheckoutDay } from './checkout-day.ts';

/** The columns that queries read. The type and the queries derive from them. */
const orderColumns = [
  'id',
  'title',
  'author',
  'price_cents as priceCents',
  'time',
  'book_id as bookId',
  'sent_at as sentAt',
  'delivery_address as deliveryAddress',
] as const;

/** @returns a query of orders as they were placed. */
export const placedOrders = (db: Db) => db.selectFrom('orders').select(orderColumns);

/** An order as it was placed: `priceCents` in integer cents, `time` the checkout day as the browser wrote it. */
export type PlacedOrder = Selection<Tables, 'orders', (typeof orderColumns)[number]>;

/** The book that a customer wants to buy, as the browser showed it, and where to send it. */
type OrderRequest = Pick<PlacedOrder, 'title' | 'author' | 'priceCents' | 'time'> & {
  deliveryAddress?: string | null;
};

/** @returns the order as the API shows it (spec section 3), its price as an amount such as 12.99. */
export const presentOrder = ({
  id,
  priceCents,
  sentAt,
  deliveryAddress,
  image,
  ...order
}: PlacedOrder & { image?: string | null }): Order => ({
  _id: id,
  ...order,
  price: centsToAmount(priceCents),
  state: sentAt === null ? 'new' : 'sent',
  ...(image && { image }),
  ...(sentAt !== null && { sentAt: timeText(sentAt) }),
  ...(deliveryAddress !== null && { deliveryAddress }),
});

type PlaceOrderOptions = {
  idempotencyKey?: string | undefined;
  /** The buyer gets a receipt, and the shop a notice (mail/outbox.ts). */
  sendsMail?: boolean;
};

/**
 * Places an order for one book, once per customer and key; durable when it returns. The same key with the same request
 * returns the existing order, also when the book has been removed or repriced since, or the day has passed.
 * @throws {Problem} IDEMPOTENCY_KEY_REUSED when the key belongs to another request; VALIDATION_FAILED for a time that is
 * not today's; BOOK_GONE; PRICE_CHANGED.
 */
export async function placeOrder(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  { idempotencyKey, sendsMail = false }: PlaceOrderOptions = {},
): Promise<PlacedOrder> {
  const isToday = isCheckoutDay(request.time);
  if (isToday) {
    const id = newId();
    const placed = await insertOrder(db, {
      customer_id: customer.id,
      id,
      idempotency_key: idempotencyKey ?? null,
      request_hash: idempotencyKey === undefined ? null : hashOf(request),
      time: request.time,
      buyer_name: customer.name,
      buyer_email: customer.email,
      placed_at: timeOfId(id),
      mail_due_at: sendsMail ? timeOfId(id) : null,
      title: request.title,
      author: request.author,
      price_cents: request.priceCents,
      delivery_address: request.deliveryAddress ?? null,
    });
    if (placed) return placed;
  }

  // Either the key has its order already, or there is no such book to buy at that price.
  const earlier = await findOrderByKey(db, customer, request, idempotencyKey);
  if (earlier) return earlier;
  if (!isToday) throw fieldProblem('time', 'Must be today, as toDateString() writes it.');
  const [book] = await findBooksTitled(db, request);
  if (!book) throw new Problem('BOOK_GONE');
  throw new Problem('PRICE_CHANGED', { detail: `It is ${formatPrice(centsToAmount(book.priceCents))} now.` });
}

/** The columns of a new order with their types in the batch, except the book's id, which comes from the catalogue. */
const requestColumns = {
  customer_id: 'text',
  id: 'text',
  idempotency_key: 'text',
  request_hash: 'text',
  time: 'text',
  buyer_name: 'text',
  buyer_email: 'text',
  placed_at: 'bigint',
  title: 'text',
  author: 'text',
  price_cents: 'bigint',
  mail_due_at: 'bigint',
  delivery_address: 'text',
} as const satisfies Record<NewOrderColumn, 'text' | 'bigint'>;
type NewOrderColumn = Exclude<
  keyof Tables['orders'],
  | 'book_id'
  | 'sent_at'
  | 'address_corrected_at'
  | 'mail_attempts'
  | 'mail_error'
  | 'receipt_sent_at'
  | 'notice_sent_at'
>;
type RequestColumn = keyof typeof requestColumns;
// The cast: `Object.keys` types the names as string.
const requestColumnNames = Object.keys(requestColumns) as RequestColumn[];

/**
 * Inserts an order if a book is for sale with its title, author and price, unless its key has an order. Two editions may
 * share title and author: the one at the posted price is the one that the buyer saw. Simultaneous orders share the
 * statement, and so one commit; no transaction stays open between two round trips.
 */
const insertOrder = batchedQuery({
  columns: requestColumns,
  key: 'id',
  build: (db, items) =>
    db
      .insertInto('orders')
      .columns([...requestColumnNames, 'book_id'])
      .expression((orders) =>
        orders
          .selectFrom([items, 'books'])
          .select([...requestColumnNames.map((name) => `item.${name}` as const), 'books.id as book_id'])
          .where('books.seq', '=', (books) =>
            books
              .selectFrom('books as wanted')
              .select('wanted.seq')
              .whereRef('wanted.title', '=', 'item.title')
              .whereRef('wanted.author', '=', 'item.author')
              .whereRef('wanted.price_cents', '=', 'item.price_cents')
              .where('wanted.removed_at', 'is', null)
              .orderBy('wanted.seq', 'desc')
              .limit(1),
          )
          // In the same order on every node: otherwise two nodes that insert the same keys could deadlock.
          .orderBy('item.customer_id')
          .orderBy('item.idempotency_key'),
      )
      .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
      .returning(orderColumns),
});

async function findOrderByKey(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  idempotencyKey: string | undefined,
): Promise<PlacedOrder | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const earlier = await placedOrders(db)
    .select('request_hash')
    .where('customer_id', '=', customer.id)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!earlier) return undefined;
  const { request_hash: requestHash, ...order } = earlier;
  if (requestHash !== hashOf(request)) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return order;
}

/**
 * Two requests with the same hash buy the same book at the same price on the same day. The hashes of placed orders are
 * stored: a new field must not change the hash of a request without it.
 */
const hashOf = ({ title, author, priceCents, time }: OrderRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([title, author, priceCents, time]))
    .digest('base64url');

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
