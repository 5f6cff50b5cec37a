import { createHash } from 'node:crypto';
import { type Selection, type SqlBool, sql } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import type { Order } from '../../contract/order.ts';
import { formatPrice } from '../../contract/price.ts';
import { findBooksTitled, isSoldOut } from '../catalogue/books.ts';
import { countStocks, manyCopies, stockColumns, updateShelf } from '../catalogue/copies.ts';
import { batchedQuery, batchedWork, maxItems } from '../database/batched-query.ts';
import { engineOf, type ItemOf, type ItemTable } from '../database/engine.ts';
import { newId, timeOfId } from '../database/ids.ts';
import type { Db, Tables } from '../database/tables.ts';
import { dayMs, timeText } from '../database/times.ts';
import { BusyError } from '../database/unavailable.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import type { Customer } from '../sign-in/sessions.ts';
import { recordEvents } from '../webhooks/events.ts';
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
  'withdrawal_days as withdrawalDays',
  'withdrawn_at as withdrawnAt',
  'withdrawn_by as withdrawnBy',
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

type PlaceOrderOptions = {
  idempotencyKey?: string | undefined;
  /** For so many days after it was sent the buyer may withdraw. A change of the setting does not change the order. */
  withdrawalDays?: number;
  /** The buyer gets a receipt, and the shop a notice (mail/outbox.ts). */
  sendsMail?: boolean;
  /** An event is recorded for webhooks (webhooks/events.ts). */
  hasEvent?: boolean;
  /** Called after an order that changed what the shop shows of its book. */
  onShelfChanged?: () => void;
};

/** How often a copy is looked for, while each that is found goes to another order. */
const maxAttempts = 5;

/**
 * Places an order for one book, once per customer and key; durable when it returns. The same key with the same request
 * returns the existing order, also when the book has been removed or repriced since, or the day has passed.
 * @throws {Problem} IDEMPOTENCY_KEY_REUSED when the key belongs to another request; VALIDATION_FAILED for a time that is
 * not today's; PRICE_CHANGED; SOLD_OUT; BOOK_GONE.
 */
export async function placeOrder(
  db: Db,
  customer: Customer,
  request: OrderRequest,
  {
    idempotencyKey,
    withdrawalDays = 0,
    sendsMail = false,
    hasEvent = false,
    onShelfChanged,
  }: PlaceOrderOptions = {},
): Promise<PlacedOrder> {
  const isToday = isCheckoutDay(request.time);
  const id = newId();
  const order: NewOrder = {
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
    withdrawal_days: withdrawalDays,
  };
  const insert = hasEvent ? ways.withEvents : ways.withoutEvents;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (isToday) {
      const placed = await insertWithoutLock(db, order, insert);
      if (placed) return placed;
      const ofFew = await insert.ofFew(db, order);
      if (ofFew?.isShelfChanged) onShelfChanged?.();
      if (ofFew) return ofFew.order;
    }

    // Either the key has its order already, or there is no such book to buy at that price. The key comes last: the order of a repeat
    // may take the last copy on another node while the reason is looked up here.
    const refusal = isToday
      ? await findRefusal(db, request)
      : fieldProblem('time', 'Must be today, as toDateString() writes it.');
    const earlier = await findOrderByKey(db, customer, request, idempotencyKey);
    if (earlier) return earlier;
    if (refusal) throw refusal;
  }
  throw new BusyError('other orders took each copy that was found');
}

/**
 * @returns why the book cannot be bought at the price; undefined if it can after all: another book of this name has taken the place of
 * one that is sold out, or a copy has come back.
 */
async function findRefusal(db: Db, request: OrderRequest): Promise<Problem | undefined> {
  const inStock = await findBooksTitled(db, request);
  if (inStock.some(({ priceCents }) => priceCents === request.priceCents)) return undefined;
  const [book] = inStock;
  if (!book) return new Problem((await isSoldOut(db, request)) ? 'SOLD_OUT' : 'BOOK_GONE');
  return new Problem('PRICE_CHANGED', {
    detail: `It is ${formatPrice(centsToAmount(book.priceCents))} now.`,
  });
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
  withdrawal_days: 'bigint',
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
  | 'withdrawn_at'
  | 'withdrawn_by'
  | 'withdrawal_reason'
  | 'refunded_at'
  | 'returned_at'
  | 'acknowledgement_sent_at'
  | 'withdrawal_notice_sent_at'
  | 'order_mail_ended_at'
  | 'note'
>;
type RequestColumn = keyof typeof requestColumns;
type NewOrder = ItemOf<typeof requestColumns>;
// The cast: `Object.keys` types the names as string.
const requestColumnNames = Object.keys(requestColumns) as RequestColumn[];

/**
 * The condition that a book is the newest on the shelf with the title, author and price of an item. Two editions may share title
 * and author: the one at the posted price is the one that the buyer saw.
 */
const isWanted = sql<SqlBool>`books.seq = (
  select wanted.seq from books as wanted
  where wanted.title = item.title and wanted.author = item.author and wanted.price_cents = item.price_cents
    and wanted.removed_at is null
  order by wanted.seq desc limit 1
)`;

const itemColumns = requestColumnNames.map((name) => `item.${name}` as const);
const insertedColumns = [...requestColumnNames, 'book_id'] as const;

/** Inserts the orders of items whose book is one of which any number can be sold, unless its key has an order. */
const insertUnlimited = (db: Db, items: ItemTable<typeof requestColumns>) =>
  db
    .insertInto('orders')
    .columns(insertedColumns)
    .expression((orders) =>
      orders
        .selectFrom([items, 'books'])
        .select([...itemColumns, 'books.id as book_id'])
        .where(isWanted)
        .where('books.copies_left', 'is', null)
        // In the same order on every node: otherwise two nodes that insert the same keys could deadlock.
        .orderBy('item.customer_id')
        .orderBy('item.idempotency_key'),
    )
    .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
    .returning(orderColumns);

/**
 * Inserts orders with a copy each, as far as there are copies. On SQLite a trigger writes the orders into the copies (migration
 * 0019). On PostgreSQL the statement passes over copies that another order is about to take, and locks `manyCopies` more than it
 * takes: so many are left, whatever others take meanwhile, and the row of the book need not change.
 * @param isLast the books are locked: the orders may take all of their copies, and wait for those that another order is about to
 * take. The items have a `book_id`.
 */
const insertWithCopies = <Columns extends typeof requestColumns>(
  db: Db,
  items: ItemTable<Columns>,
  { isLast }: { isLast: boolean },
) => {
  const { locksRows } = engineOf(db);
  const left = sql.lit(isLast ? 0 : manyCopies);
  // A limit on SQLite may not be a column.
  const atMost = locksRows ? sql`book.buyers + ${sql.lit(manyCopies)}` : sql.lit(maxItems + manyCopies);
  const lock = locksRows ? (isLast ? sql`for update` : sql`for update skip locked`) : sql``;
  const free = sql`
    (select id from copies where book_id = book.book_id and order_id is null order by id limit ${atMost} ${lock}) as copy
  `;
  // By book: the ids of the locked copies, or on SQLite their number.
  const [copies, count, taken] = locksRows
    ? [sql`array_agg(copy.id)`, sql`cardinality(free.copies)`, sql`free.copies[wanted.place]`]
    : [sql`count(*)`, sql`free.copies`, sql`null`];
  const withChosen = db
    .with(
      (cte) => cte('wanted').materialized(),
      () => sql<object>`(
        select ${sql.join(itemColumns.map((name) => sql.ref(name)))}, books.id as book_id,
          cast(row_number() over (partition by books.id order by item.customer_id, item.idempotency_key) as int) as place,
          count(*) over (partition by books.id) as buyers
        from ${items}, books
        where ${isLast ? sql`books.id = item.book_id` : sql`${isWanted} and books.copies_left = ${sql.lit(manyCopies)}`}
      )`,
    )
    .with(
      (cte) => cte('free').materialized(),
      () => sql<object>`(
        select book.book_id, (select ${copies} from ${free}) as copies
        from (select distinct book_id, buyers from wanted) as book
      )`,
    )
    .with(
      (cte) => cte('item').materialized(),
      () => sql<NewOrder & { book_id: string; copy_id: number }>`(
        select wanted.*, ${taken} as copy_id from wanted join free on free.book_id = wanted.book_id
        where wanted.place + ${left} <= ${count}
      )`,
    );
  const insert = (db: typeof withChosen) =>
    db
      .insertInto('orders')
      .columns(insertedColumns)
      .expression((db) =>
        db
          .selectFrom('item')
          .select([...itemColumns, 'item.book_id'])
          .where(sql.lit(true))
          .orderBy('item.customer_id')
          .orderBy('item.idempotency_key'),
      )
      .onConflict((conflict) => conflict.columns(['customer_id', 'idempotency_key']).doNothing())
      .returning(orderColumns);
  if (!locksRows) return insert(withChosen);
  return withChosen
    .with('placed', (db) => insert(db))
    .with('taken', (db) =>
      db
        .updateTable('copies')
        .set((copies) => ({
          order_id: copies
            .selectFrom('item')
            .select('item.id')
            .whereRef('item.copy_id', '=', 'copies.id')
            .limit(1),
        }))
        // An array, and not a join: the planner would expect so many rows that it read the whole table.
        .where(
          sql<SqlBool>`copies.id = any(array(
            select item.copy_id from item join placed on placed.id = item.id
          ))`,
        ),
    )
    .selectFrom('placed')
    .selectAll();
};

/** Inserts the orders of items whose book has many copies, with a copy each. */
const insertOfMany = (db: Db, items: ItemTable<typeof requestColumns>) =>
  insertWithCopies(db, items, { isLast: false });

type OrdersById = ReadonlyMap<string, PlacedOrder>;
const byId = (orders: readonly PlacedOrder[]): OrdersById =>
  new Map(orders.map((order) => [order.id, order]));

const recordPlaced = (db: Db, orders: readonly NewOrder[], placed: OrdersById): Promise<void> =>
  recordEvents(
    db,
    'order.placed',
    orders.flatMap(({ id, customer_id: customerId, placed_at: at }) =>
      id !== null && customerId !== null && at !== null && placed.has(id) ? [{ id, customerId, at }] : [],
    ),
  );

/** Inserts the orders of a statement in a transaction with their events. Simultaneous orders share it. */
const withEvents = (build: typeof insertUnlimited | typeof insertOfMany) =>
  batchedWork((db, orders: readonly NewOrder[]) =>
    db.transaction().execute(async (db) => {
      const items = engineOf(db).itemTable(JSON.stringify(orders), requestColumns);
      const placed = byId(await build(db, items).execute());
      await recordPlaced(db, orders, placed);
      return orders.map(({ id }) => placed.get(id ?? ''));
    }),
  );

/**
 * Inserts orders of books with few copies, or fewer than buyers. The rows of the books are locked, so that the numbers which the
 * shop shows are right.
 */
const insertOfFew = ({ hasEvents }: { hasEvents: boolean }) =>
  batchedWork((db, orders: readonly NewOrder[]) =>
    db.transaction().execute(async (db) => {
      const items = engineOf(db).itemTable(JSON.stringify(orders), requestColumns);
      const wanted = await engineOf(db)
        .lockedInOrder(
          db
            .selectFrom([items, 'books'])
            .select(['item.id as orderId', ...stockColumns])
            .where(isWanted)
            // These conditions hold for the locked row, which another transaction may have changed before.
            .whereRef('books.title', '=', 'item.title')
            .whereRef('books.author', '=', 'item.author')
            .whereRef('books.price_cents', '=', 'item.price_cents')
            .where('books.removed_at', 'is', null)
            .where('books.copies_left', 'is not', null)
            .orderBy('books.id'),
        )
        .execute();
      if (wanted.length === 0) return [];
      const books = new Map(wanted.map(({ orderId, ...book }) => [book.id, book]));
      const bookIds = new Map(wanted.map(({ orderId, id }) => [orderId, id]));
      const ofBooks = orders.flatMap((order) => {
        const book_id = bookIds.get(order.id ?? '');
        return book_id === undefined ? [] : { ...order, book_id };
      });
      const locked = engineOf(db).itemTable(JSON.stringify(ofBooks), { ...requestColumns, book_id: 'text' });
      const placed = byId(await insertWithCopies(db, locked, { isLast: true }).execute());
      if (hasEvents) await recordPlaced(db, ofBooks, placed);
      const isShelfChanged = await updateShelf(db, await countStocks(db, [...books.values()]));
      return orders.map(({ id }) => {
        const order = placed.get(id ?? '');
        return order && { order, isShelfChanged };
      });
    }),
  );

/**
 * The ways in which an order is inserted, with an event for webhooks and without. Simultaneous orders share a statement, and so one
 * commit; without events no transaction stays open between two round trips.
 */
const ways = {
  withEvents: {
    unlimited: withEvents(insertUnlimited),
    ofMany: withEvents(insertOfMany),
    ofFew: insertOfFew({ hasEvents: true }),
  },
  withoutEvents: {
    unlimited: batchedQuery({ columns: requestColumns, key: 'id', build: insertUnlimited }),
    ofMany: batchedQuery({ columns: requestColumns, key: 'id', build: insertOfMany }),
    ofFew: insertOfFew({ hasEvents: false }),
  },
};

/** The books, by title and author, whose last order took one of many copies. The next order of each tries that first. */
const namesOfMany = new Set<string>();
const maxNames = 1_000;

/** Inserts an order of any book but one with few copies. */
async function insertWithoutLock(
  db: Db,
  order: NewOrder,
  { unlimited, ofMany }: (typeof ways)['withEvents' | 'withoutEvents'],
): Promise<PlacedOrder | undefined> {
  const name = JSON.stringify([order.title, order.author]);
  const isOfMany = namesOfMany.has(name);
  const [first, second] = isOfMany ? [ofMany, unlimited] : [unlimited, ofMany];
  const placed = await first(db, order);
  if (placed) return placed;
  const other = await second(db, order);
  if (isOfMany) namesOfMany.delete(name);
  else if (other && namesOfMany.size < maxNames) namesOfMany.add(name);
  return other;
}

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
