import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { Order } from '../../contract/order.ts';
import { findBooksTitled } from '../catalogue/books.ts';
import { batchedQuery } from '../database/batched-query.ts';
import type { Db } from '../database/tables.ts';
import { centsToAmount } from '../money.ts';
import { fieldProblem, Problem } from '../problems.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { isCheckoutDay } from './checkout-day.ts';

export type PlacedOrder = { id: string; title: string; author: string; priceCents: number; time: string };

/** What somebody wants to buy, as their browser showed it to them. */
export type OrderRequest = { title: string; author: string; priceCents: number; time: string };

const orderColumns = ['id', 'title', 'author', 'price_cents as priceCents', 'time'] as const;

export const presentOrder = ({ id, title, author, priceCents, time }: PlacedOrder): Order => ({
  _id: id,
  title,
  author,
  price: centsToAmount(priceCents),
  time,
});

/**
 * Places an order for one book, once per customer and key; durable when it returns. The same key with the same request
 * answers the order that is there, also when the book has gone or changed its price since, or the day has passed.
 * @throws {Problem} IDEMPOTENCY_KEY_REUSED when the key came with another request before; VALIDATION_FAILED for a time
 * that is not today's; BOOK_GONE; PRICE_CHANGED.
 */
export async function placeOrder(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  idempotencyKey: string | undefined,
): Promise<PlacedOrder> {
  const isToday = isCheckoutDay(request.time);
  if (isToday) {
    const placed = await insertOrder(db, {
      customer_id: customer.id,
      id: newId(),
      idempotency_key: idempotencyKey ?? null,
      request_hash: idempotencyKey === undefined ? null : hashOf(request),
      time: request.time,
      buyer_name: customer.name,
      buyer_email: customer.email,
      placed_at: Date.now(),
      title: request.title,
      author: request.author,
      price_cents: request.priceCents,
    });
    if (placed) return placed;
  }

  // Either the key has its order already, or there is no such book to buy at that price.
  const earlier = await findOrderByKey(db, customer, request, idempotencyKey);
  if (earlier) return earlier;
  if (!isToday) throw fieldProblem('time', 'Must be today, as toDateString() writes it.');
  const [book] = await findBooksTitled(db, request);
  if (!book) throw new Problem('BOOK_GONE');
  throw new Problem('PRICE_CHANGED', { detail: `It is ${centsToAmount(book.priceCents)} now.` });
}

/**
 * Copies the book that is for sale with an order's title, author and price into the order, unless its key has one. Two
 * editions may share title and author; the one at the buyer's price is the one that was shown. One statement for all
 * orders that are placed at the same time, so that they share one commit, and no transaction stays open between steps.
 */
const insertOrder = batchedQuery<OrderItem, PlacedOrder>({
  columns: {
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
  },
  key: 'id',
  build: (db, items) =>
    db
      .insertInto('orders')
      .columns([
        'customer_id',
        'id',
        'idempotency_key',
        'request_hash',
        'time',
        'buyer_name',
        'buyer_email',
        'placed_at',
        'book_id',
        'title',
        'author',
        'price_cents',
      ])
      .expression((orders) =>
        orders
          .selectFrom([items, 'books'])
          .select([
            'item.customer_id',
            'item.id as order_id',
            'item.idempotency_key',
            'item.request_hash',
            'item.time',
            'item.buyer_name',
            'item.buyer_email',
            'item.placed_at',
            'books.id as book_id',
            'books.title',
            'books.author',
            'books.price_cents',
          ])
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
          // Two nodes that place orders of the same keys must not wait for each other crosswise.
          .orderBy('item.customer_id')
          .orderBy('item.idempotency_key'),
      )
      .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
      .returning(orderColumns),
});

type OrderItem = {
  customer_id: string;
  id: string;
  idempotency_key: string | null;
  request_hash: string | null;
  time: string;
  buyer_name: string;
  buyer_email: string;
  placed_at: number;
  title: string;
  author: string;
  price_cents: number;
};

async function findOrderByKey(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  idempotencyKey: string | undefined,
): Promise<PlacedOrder | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const earlier = await db
    .selectFrom('orders')
    .select([...orderColumns, 'request_hash'])
    .where('customer_id', '=', customer.id)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!earlier) return undefined;
  const { request_hash: requestHash, ...order } = earlier;
  if (requestHash !== hashOf(request)) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return order;
}

/** What makes two requests the same: what is bought, not who carries the key. */
const hashOf = ({ title, author, priceCents, time }: OrderRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([title, author, priceCents, time]))
    .digest('base64url');

/** A customer's orders, newest first. @returns also the cursor of the next page, when there is one. */
export async function listOrders(
  db: Db,
  customerId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ orders: PlacedOrder[]; nextCursor: string | undefined }> {
  let query = db
    .selectFrom('orders')
    .select(orderColumns)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const found = await query.execute();
  const orders = found.slice(0, limit);
  return { orders, nextCursor: found.length > limit ? orders.at(-1)?.id : undefined };
}
