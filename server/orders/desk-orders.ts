/** The orders of all customers, for the owner. */

import type { Selection } from 'kysely';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { centsToAmount } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import { isUuid } from '../../contract/uuid.ts';
import { firstIdAt } from '../database/ids.ts';
import { readInTurn, rowsPerTurn } from '../database/row-turns.ts';
import type { Db, Tables } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { foldText } from '../search/search-text.ts';
import { similarityTo } from '../search/similar-texts.ts';
import { stateOf } from './orders.ts';

/** The orders to find; those of all customers where nothing is given. */
export type OrderFilter = {
  state?: 'all' | Order['state'] | undefined;
  /**
   * Beginnings of words, in any order, that the buyer's name or e-mail, the title or the author must have. Case and accents are ignored.
   * Or an id.
   */
  q?: string | undefined;
  /** The words are compared as {@link similarityTo} does, and not with the e-mail. */
  spelling?: 'similar' | undefined;
  /** Milliseconds since 1970, included. */
  since?: number | undefined;
  /** Milliseconds since 1970, excluded. */
  until?: number | undefined;
  customerId?: string | undefined;
};

const columns = [
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
  'withdrawn_at as withdrawnAt',
  'withdrawn_by as withdrawnBy',
  'withdrawal_reason as withdrawalReason',
  'refunded_at as refundedAt',
  'returned_at as returnedAt',
  'note',
] as const;
type Row = Selection<Tables, 'orders', (typeof columns)[number]>;

/** The columns that a search compares. The others are read of the orders that it has found alone. */
const comparedColumns = [
  'id',
  'title',
  'author',
  'buyer_name as buyerName',
  'buyer_email as buyerEmail',
] as const satisfies (typeof columns)[number][];
type ComparedRow = Selection<Tables, 'orders', (typeof comparedColumns)[number]>;

/** @returns the order as the desk's API shows it. */
const present = ({
  id,
  customerId,
  buyerName,
  buyerEmail,
  priceCents,
  placedAt,
  sentAt,
  addressCorrectedAt,
  withdrawnAt,
  refundedAt,
  returnedAt,
  ...row
}: Row): DeskOrder => ({
  _id: id,
  ...row,
  price: centsToAmount(priceCents),
  placedAt: timeText(placedAt),
  sentAt: timeOrNull(sentAt),
  state: stateOf({ sentAt, withdrawnAt }),
  addressCorrectedAt: timeOrNull(addressCorrectedAt),
  withdrawnAt: timeOrNull(withdrawnAt),
  refundedAt: timeOrNull(refundedAt),
  returnedAt: timeOrNull(returnedAt),
  buyer: { _id: customerId, name: buyerName, email: buyerEmail },
});

/** @throws {Problem} ORDER_NOT_FOUND. */
export async function findDeskOrder(db: Db, id: string): Promise<DeskOrder> {
  const order = await db.selectFrom('orders').select(columns).where('id', '=', id).executeTakeFirst();
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return present(order);
}

/** Finds the orders of a filter, all but its words. An index has those of each state in the order of their ids. */
export function ordersOf(db: Db, { state, q = '', since, until, customerId }: OrderFilter) {
  let query = db.selectFrom('orders');
  if (state === 'new' || state === 'sent') {
    query = query.where('sent_at', state === 'new' ? 'is' : 'is not', null).where('withdrawn_at', 'is', null);
  }
  if (state === 'withdrawn') query = query.where('withdrawn_at', 'is not', null);
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since));
  if (until !== undefined) query = query.where('id', '<', firstIdAt(until));
  if (isUuid(q)) query = query.where('id', '=', q.toLowerCase());
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  return query;
}

/**
 * The words are compared here, because SQLite knows the case of ASCII letters alone.
 * @returns whether a row has all words; undefined where there is none.
 */
function matcherOf({ q = '', spelling }: OrderFilter): ((row: ComparedRow) => boolean) | undefined {
  const words = foldText(q)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0 || isUuid(q)) return undefined;
  if (spelling === 'similar') {
    const isSimilar = similarityTo(q);
    return ({ buyerName, title, author }) => isSimilar(`${buyerName}\n${title}\n${author}`);
  }
  return ({ buyerName, buyerEmail, title, author }) => {
    const text = foldText(`${buyerName}\n${buyerEmail}\n${title}\n${author}`);
    return words.every((word) => hasWordFrom(text, word));
  };
}

const letter = /[\p{L}\p{N}]/u;
/** Scripts that write no spaces between words. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** @returns whether a word of the text begins so: who looks for Ada wants no Madame Bovary. */
function hasWordFrom(text: string, start: string): boolean {
  if (unspaced.test(start)) return text.includes(start);
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (!letter.test(text.charAt(at - 1))) return true;
  }
  return false;
}

/** A search reads so many orders for each page: a tenth of a second. */
const maxRead = 20_000;
/** To look for similar words in a row takes longer than to read it. */
const similarPerTurn = rowsPerTurn / 2;
const perTurn = ({ spelling }: OrderFilter): number => (spelling ? similarPerTurn : rowsPerTurn);

/**
 * Lists orders, newest first.
 * @param cursor of the page before.
 * @returns also the cursor of the next page, when more may follow. A page of a search may be short, or empty, although another
 * one follows.
 */
export async function listDeskOrders(
  db: Db,
  filter: OrderFilter,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ orders: DeskOrder[]; nextCursor: string | undefined }> {
  const matches = matcherOf(filter);
  if (matches) return await searchOrders(db, filter, matches, { limit, cursor });
  let query = ordersOf(db, filter)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  return { orders: page.map(present), nextCursor: rows.length > limit ? page.at(-1)?.id : undefined };
}

async function searchOrders(
  db: Db,
  filter: OrderFilter,
  matches: (row: ComparedRow) => boolean,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): ReturnType<typeof listDeskOrders> {
  const found: string[] = [];
  const atOnce = perTurn(filter);
  let before = cursor;
  let isAtEnd = false;
  for (let read = 0; !isAtEnd && found.length <= limit && read < maxRead; read += atOnce) {
    let query = ordersOf(db, filter).select(comparedColumns).orderBy('id', 'desc').limit(atOnce);
    if (before !== undefined) query = query.where('id', '<', before);
    const rows = await readInTurn(() => query.execute());
    for (const row of rows) if (matches(row)) found.push(row.id);
    isAtEnd = rows.length < atOnce;
    before = rows.at(-1)?.id;
  }
  const page = found.slice(0, limit);
  const orders = db.selectFrom('orders').select(columns).where('id', 'in', page).orderBy('id', 'desc');
  const lastRead = isAtEnd ? undefined : before;
  return {
    orders: page.length === 0 ? [] : (await orders.execute()).map(present),
    nextCursor: found.length > limit ? page.at(-1) : lastRead,
  };
}

/**
 * Reads orders page by page, oldest first: those that there are at the first page.
 * @returns some orders at a time, or none; a search matches few.
 */
export async function* readDeskOrders(db: Db, filter: OrderFilter): AsyncGenerator<DeskOrder[]> {
  const matches = matcherOf(filter);
  const newest = await ordersOf(db, filter).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (!newest) return;
  let after = '';
  let rows: Row[];
  do {
    const query = ordersOf(db, filter)
      .select(columns)
      .where('id', '>', after)
      .where('id', '<=', newest.id)
      .orderBy('id')
      .limit(perTurn(filter));
    rows = await readInTurn(() => query.execute());
    after = rows.at(-1)?.id ?? '';
    yield (matches ? rows.filter(matches) : rows).map(present);
  } while (rows.length === perTurn(filter));
}
