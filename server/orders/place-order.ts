import { hash } from 'node:crypto';
import { isCheckoutDay } from '../../contract/checkout-day.ts';
import { centsToAmount } from '../../contract/money.ts';
import { defaultCurrency, type Money, moneyIn } from '../../contract/price.ts';
import { isNotDeleted } from '../catalogue/book-columns.ts';
import { newId, timeOfId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { BusyError } from '../database/unavailable.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { noSenders, type Senders } from '../outbox/record.ts';
import type { PaymentTerms } from '../payments/payments.ts';
import { type Customer, isOpenSession } from '../sign-in/sessions.ts';
import { listWays } from '../ways/ways.ts';
import { type Inserted, insertOrders, insertWithCopy, type OrderToInsert } from './insert-orders.ts';
import { newOrderNumber } from './order-number.ts';
import { type StoredOrder, storedOrders } from './orders.ts';

/** The book to buy, as the browser showed it, and how to get it. */
type OrderRequest = Pick<StoredOrder, 'title' | 'author' | 'priceCents' | 'time'> & {
  deliveryAddress?: string | null;
  wayId?: string | undefined;
  /** The total that the buyer saw, in integer cents; without it, the way may cost anything. */
  totalCents?: number | undefined;
  /** The words of a gift; null or missing for an order that is none. */
  gift?: string | null;
  /** The id of the book. An order without it is for the newest book with this title, author and price. */
  bookId?: string | undefined;
};

type PlaceOrderOptions = {
  idempotencyKey?: string | undefined;
  /** The hash of the buyer's session id: if the session has ended, nothing is bought. */
  session?: string;
  /** The number of days to withdraw. The order stores it, so a changed setting does not affect the order. */
  withdrawalDays?: number;
  money?: Money;
  senders?: Senders;
  payments?: PaymentTerms;
  /** Inserts an order of a book without a limit of copies, in a statement that simultaneous orders share. */
  insertTogether?: (order: OrderToInsert) => Promise<Inserted | undefined>;
  /** Called after an order that changed what the shop shows of the book. */
  onShelfChanged?: () => void;
};

/**
 * Places an order for one book, once per customer and key; durable when it returns. The same key with the same request
 * returns the existing order, also when the book has been removed or repriced since, or the day has passed.
 * @throws {Problem} SIGN_IN_REQUIRED; IDEMPOTENCY_KEY_REUSED when the key belongs to another request; VALIDATION_FAILED for a time that
 * is not today's; BOOK_GONE; SOLD_OUT; BOOK_CHANGED; PRICE_CHANGED; WAY_MISSING; DELIVERY_CHANGED.
 * @throws {BusyError} when the book could not be bought, and then could after all, such as when a copy has come back meanwhile, or when
 * another order has the same number.
 */
export async function placeOrder(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  options: PlaceOrderOptions = {},
): Promise<StoredOrder> {
  const { idempotencyKey, session, money = moneyIn(defaultCurrency), senders = noSenders } = options;
  const { payments, onShelfChanged } = options;
  const { insertTogether = async (order) => (await insertOrders(db, [order], senders, payments))[0] } =
    options;
  const isToday = isCheckoutDay(request.time);
  if (isToday) {
    const order = newOrderOf(customer, request, { ...options, money });
    const inserted = (await insertTogether(order)) ?? (await insertWithCopy(db, order, senders, payments));
    if (inserted?.isShelfChanged) onShelfChanged?.();
    if (inserted) return inserted;
  }

  // The key is checked again last: while the reason is looked up here, a repeated request may take the last copy on another node.
  if (session !== undefined && !(await isOpenSession(db, session))) throw new Problem('SIGN_IN_REQUIRED');
  const refusal = isToday
    ? ((await findRefusal(db, request, money)) ?? (await findRefusalOfDelivery(db, request, money)))
    : fieldProblem('time', 'Must be today, as toDateString() writes it.');
  const earlier = await findOrderByKey(db, customer, request, idempotencyKey);
  if (earlier) return earlier;
  throw refusal ?? new BusyError('the book can be bought after all');
}

function newOrderOf(
  customer: Customer,
  request: OrderRequest,
  { idempotencyKey, session, withdrawalDays = 0, money }: PlaceOrderOptions & { money: Money },
): OrderToInsert {
  const id = newId();
  return {
    customer_id: customer.id,
    id,
    idempotency_key: idempotencyKey ?? null,
    request_hash: idempotencyKey === undefined ? null : hashOfOrder(request),
    time: request.time,
    buyer_name: customer.name,
    buyer_email: customer.email,
    placed_at: timeOfId(id),
    title: request.title,
    author: request.author,
    price_cents: request.priceCents,
    delivery_address: request.deliveryAddress ?? null,
    withdrawal_days: withdrawalDays,
    number: newOrderNumber(),
    currency: money.currency,
    way_id: request.wayId ?? null,
    gift: request.gift ?? null,
    total_cents: request.totalCents ?? null,
    wanted_book_id: request.bookId ?? null,
    locked_book_id: null,
    session_hash: session ?? null,
  };
}

/**
 * Finds the reason why the book cannot be bought. Reasons that the buyer cannot change come first: there is no use in confirming the new
 * price of a sold-out book. @returns undefined if the book can be bought after all.
 */
async function findRefusal(db: Db, request: OrderRequest, { format }: Money): Promise<Problem | undefined> {
  const { title, author, bookId } = request;
  // The check is one statement: of two, the second would miss a book whose copy is given back in between.
  const found = await db
    .selectFrom('books')
    .select(['title', 'author', 'price_cents as priceCents', 'copies_left as copiesLeft'])
    .where(({ and }) => and(bookId === undefined ? { title, author } : { id: bookId }))
    .where(isNotDeleted)
    .orderBy('seq', 'desc')
    .execute();
  const inStock = found.filter(({ copiesLeft }) => copiesLeft !== 0);
  const book = inStock.find(({ priceCents }) => priceCents === request.priceCents) ?? inStock[0];
  if (!book) return new Problem(found.length > 0 ? 'SOLD_OUT' : 'BOOK_GONE');
  const price = format(centsToAmount(book.priceCents));
  if (book.title !== title || book.author !== author) {
    const detail = `It is “${book.title}” by ${book.author} now, at ${price}.`;
    return new Problem('ORDERED_BOOK_CHANGED', { detail });
  }
  if (book.priceCents === request.priceCents) return undefined;
  return new Problem('PRICE_CHANGED', { detail: `It is ${price} now.` });
}

/** Finds the reason why the book cannot be had in the way of the request, or at its total. @returns undefined if it can. */
async function findRefusalOfDelivery(
  db: Db,
  { priceCents, wayId, totalCents }: OrderRequest,
  { format }: Money,
): Promise<Problem | undefined> {
  const ways = await listWays(db);
  if (wayId === undefined && ways.length > 0) return new Problem('WAY_MISSING');
  const way = ways.find(({ id }) => id === wayId);
  if (wayId !== undefined && !way) {
    return new Problem('DELIVERY_CHANGED', { detail: 'We no longer offer this way to get the book.' });
  }
  const total = priceCents + (way?.priceCents ?? 0);
  if ((totalCents ?? total) === total) return undefined;
  const priceOf = (cents: number) => format(centsToAmount(cents));
  const delivery = way ? `, with ${priceOf(way.priceCents)} for “${way.name}”` : '';
  return new Problem('DELIVERY_CHANGED', { detail: `The total is ${priceOf(total)} now${delivery}.` });
}

async function findOrderByKey(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  idempotencyKey: string | undefined,
): Promise<StoredOrder | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const earlier = await storedOrders(db)
    .select('request_hash as requestHash')
    .where('customer_id', '=', customer.id)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!earlier) return undefined;
  if (earlier.requestHash !== hashOfOrder(request)) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  // The id is not in the hash: an older release, which did not read the id, may have stored the key.
  if ((request.bookId ?? earlier.bookId) !== earlier.bookId) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return earlier;
}

/** The hash of an order's request. Hashes of placed orders are stored, so a new field must not change the hash of a request without it. */
const hashOfOrder = ({ title, author, priceCents, time, wayId, totalCents, gift }: OrderRequest): string => {
  const delivery = [wayId, totalCents, gift].map((part) => part ?? null);
  const given = delivery.every((part) => part === null) ? [] : delivery;
  return hash('sha256', JSON.stringify([title, author, priceCents, time, ...given]), 'base64url');
};
