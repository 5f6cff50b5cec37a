import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DeskOrder, OrdersExportQuery } from '../../contract/desk/orders.ts';
import { isUuid } from '../../contract/uuid.ts';
import { firstIdAt } from '../database/ids.ts';
import { readInTurn, readPages, rowsPerTurn } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull } from '../database/times.ts';
import type { timesOf } from '../http/day-range.ts';
import { missing } from '../http/problems.ts';
import { presentDeskPayment, surplusCharges } from '../payments/payments.ts';
import { foldText } from '../search/search-text.ts';
import { similarityTo } from '../search/similar-texts.ts';
import { isOrderNumber } from './order-number.ts';
import { presentOrder, type StoredOrder, storedOrders } from './orders.ts';

/** A filter without members has the orders of all customers. */
export type OrderFilter = Pick<OrdersExportQuery, 'state' | 'q' | 'spelling'> &
  Partial<ReturnType<typeof timesOf>> & { customerId?: string };

export function presentDeskOrder(order: StoredOrder): DeskOrder {
  const { withdrawUntil: _until, payment: _payment, ...shown } = presentOrder(order);
  const { tracking, deliveryAddress, withdrawnBy, withdrawalReason, currency, note } = order;
  return {
    ...{ ...shown, tracking, deliveryAddress, withdrawnBy, withdrawalReason, currency, note },
    sentAt: timeOrNull(order.sentAt),
    addressCorrectedAt: timeOrNull(order.addressCorrectedAt),
    withdrawnAt: timeOrNull(order.withdrawnAt),
    cancelledAt: timeOrNull(order.cancelledAt),
    refundedAt: timeOrNull(order.refundedAt),
    returnedAt: timeOrNull(order.returnedAt),
    buyer: { _id: order.customerId, name: order.buyerName, email: order.buyerEmail },
    ...presentDeskPayment(order),
  };
}

/** @throws {Problem} ORDER_NOT_FOUND. */
export async function findDeskOrder(db: Db, id: string): Promise<DeskOrder> {
  const order = storedOrders(db).where('id', '=', id);
  return presentDeskOrder(await order.executeTakeFirstOrThrow(missing('ORDER_NOT_FOUND')));
}

/** @returns the orders with the covers of their books, as they are now. */
export async function withCovers(db: Db, orders: readonly DeskOrder[]): Promise<DeskOrder[]> {
  if (orders.length === 0) return [];
  const ids = new Set(orders.map(({ bookId }) => bookId));
  const books = await db
    .selectFrom('books')
    .select(['id', 'image'])
    .where('id', 'in', [...ids])
    .execute();
  const images = new Map(books.map(({ id, image }) => [id, image]));
  return orders.map((order) => {
    const image = images.get(order.bookId);
    return { ...order, ...(image && { image }) };
  });
}

const isKept = sql`withdrawn_at is null and cancelled_at is null`;

/** An order is sent when it is paid, or needs no payment. */
const isToSend = sql<SqlBool>`sent_at is null and ${isKept} and ("paymentState" is null or "paymentState" = 'paid')`;

/** With literal values, which let the planner use the index of what is due. */
const conditions: Partial<Record<NonNullable<OrderFilter['state']>, RawBuilder<SqlBool>>> = {
  new: isToSend,
  'no-address': sql`${isToSend} and delivery_address is null and (asks_address is null or asks_address = 1)`,
  sent: sql`sent_at is not null and ${isKept}`,
  due: sql`"paymentState" = 'due'`,
  cancelled: sql`cancelled_at is not null`,
  withdrawn: sql`withdrawn_at is not null`,
};

/** Finds the orders of a filter, ignoring its words. An index has the orders of each state, sorted by id. */
export function ordersOf(db: Db, { state, q = '', since, until, customerId }: OrderFilter) {
  let query = storedOrders(db);
  const isOfState = state && conditions[state];
  if (isOfState) query = query.where(isOfState);
  if (state === 'surplus') query = query.where('number', 'in', surplusCharges(db));
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since));
  if (until !== undefined) query = query.where('id', '<', firstIdAt(until));
  if (isUuid(q)) query = query.where('id', '=', q.toLowerCase());
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  return query;
}

/** Puts the id of an order in place of its number. Names such as Margaret look like numbers, so they stay words unless an order has them. */
async function withIdOfNumber(db: Db, filter: OrderFilter): Promise<OrderFilter> {
  const number = filter.q?.toUpperCase() ?? '';
  if (!isOrderNumber(number)) return filter;
  const named = db.selectFrom('orders').select('id').where('number', '=', number);
  const order = await named.executeTakeFirst();
  return order ? { ...filter, q: order.id } : filter;
}

/** The positions where words begin: some scripts write no spaces between words. */
const wordStarts =
  /(?<![\p{L}\p{N}])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])/gu;
const markWords = (folded: string): string => folded.replace(wordStarts, '\n');

/**
 * Compares words here, because SQLite ignores case only for ASCII letters. @returns whether each search word begins a word of the buyer's
 * name or e-mail, the title or the author; undefined without search words.
 */
function matcherOf({ q = '', spelling }: OrderFilter): ((order: StoredOrder) => boolean) | undefined {
  const words = foldText(q).match(/\S+/g)?.map(markWords);
  if (!words || isUuid(q)) return undefined;
  if (spelling === 'similar') {
    const isSimilar = similarityTo(q);
    return ({ buyerName, title, author }) => isSimilar(`${buyerName}\n${title}\n${author}`);
  }
  return ({ buyerName, buyerEmail, title, author }) => {
    const text = markWords(foldText(`${buyerName}\n${buyerEmail}\n${title}\n${author}`));
    return words.every((word) => text.includes(word));
  };
}

/** A search reads at most this many orders for a page, which takes some tenths of a second. */
const maxRead = 20_000;

/**
 * Lists orders, newest first, after the previous page's `cursor`. @returns also the next page's cursor, if more may follow: a page of a
 * search may be short or empty, although another page follows.
 */
export async function listDeskOrders(
  db: Db,
  given: OrderFilter,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ orders: DeskOrder[]; nextCursor: string | undefined }> {
  const filter = await withIdOfNumber(db, given);
  const matches = matcherOf(filter);
  const atOnce = matches ? rowsPerTurn : limit + 1;
  const found: StoredOrder[] = [];
  let lastRead = cursor;
  for (let read = 0; found.length <= limit && read < maxRead; read += atOnce) {
    let query = ordersOf(db, filter).orderBy('id', 'desc').limit(atOnce);
    if (lastRead !== undefined) query = query.where('id', '<', lastRead);
    const rows = await readInTurn(() => query.execute());
    found.push(...(matches ? rows.filter(matches) : rows));
    lastRead = rows.length < atOnce ? undefined : rows.at(-1)?.id;
    if (lastRead === undefined) break;
  }
  const page = found.slice(0, limit);
  return {
    orders: await withCovers(db, page.map(presentDeskOrder)),
    nextCursor: found.length > limit ? page.at(-1)?.id : lastRead,
  };
}

/** Reads orders page by page, oldest first. @returns a part of the orders at a time; the part may be empty, because a search matches few. */
export async function* readDeskOrders(db: Db, given: OrderFilter): AsyncGenerator<DeskOrder[]> {
  const filter = await withIdOfNumber(db, given);
  const matches = matcherOf(filter);
  for await (const rows of readPages(ordersOf(db, filter), 'id')) {
    yield (matches ? rows.filter(matches) : rows).map(presentDeskOrder);
  }
}
