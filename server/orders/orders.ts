import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { Order } from '../../contract/order.ts';
import { findBooksTitled, type ShelvedBook } from '../catalogue/books.ts';
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
  return await db.transaction().execute(async (db) => {
    const earlier = await findEarlierOrder(db, customer, request, idempotencyKey);
    if (earlier) return earlier;

    if (!isCheckoutDay(request.time))
      throw fieldProblem('time', 'Must be today, as toDateString() writes it.');
    const book = await findBookAsOffered(db, request);
    const placed = await db
      .insertInto('orders')
      .values({
        customer_id: customer.id,
        id: newId(),
        idempotency_key: idempotencyKey ?? null,
        request_hash: idempotencyKey === undefined ? null : hashOf(request),
        book_id: book.id,
        title: book.title,
        author: book.author,
        price_cents: book.priceCents,
        time: request.time,
        buyer_name: customer.name,
        buyer_email: customer.email,
        placed_at: Date.now(),
      })
      .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
      .returning(orderColumns)
      .executeTakeFirst();
    if (placed) return placed;

    // Another request with the same key committed between the look and the insert.
    const simultaneous = await findEarlierOrder(db, customer, request, idempotencyKey);
    if (!simultaneous) throw new Error('an order conflicted with one that is not there');
    return simultaneous;
  });
}

async function findEarlierOrder(
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

/** Two editions may share title and author: the one at the buyer's price is the one that was shown. */
async function findBookAsOffered(db: Db, request: OrderRequest): Promise<ShelvedBook> {
  const books = await findBooksTitled(db, request);
  const [newest] = books;
  if (!newest) throw new Problem('BOOK_GONE');
  const offered = books.find((book) => book.priceCents === request.priceCents);
  if (!offered)
    throw new Problem('PRICE_CHANGED', { detail: `It is ${centsToAmount(newest.priceCents)} now.` });
  return offered;
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
