/**
 * The sums of sales: of the orders that were not withdrawn. Those of finished hours are added up, in small steps, into rows for each
 * quarter of an hour, for each book and day, for each book and month, and for each book and each customer: a year of a busy shop is
 * 35,000 quarters instead of millions of orders. Later orders are read one by one (docs/decisions/0039).
 *
 * All of it is in UTC, so that the shop may move to another zone: the clocks of every zone differ from UTC by quarters of an hour.
 */

import { type RawBuilder, sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import { firstIdAt, timeOfId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';

export const quarterMs = 15 * 60 * 1000;

/**
 * An order may be stored some time after its id was made, and clocks differ: a younger order may yet get a lower id. An order
 * that is stored later than that would never be counted.
 */
const settledAfterMs = 60 * 60 * 1000;
/** Orders of a statement. It takes some milliseconds, and holds up the orders of that time on SQLite. */
const ordersPerStep = 5_000;
/** More than the milliseconds by which the time of an older version's order is after that of its id. */
const idSlackMs = 60 * 1000;

/** The day and the quarter of an hour of an order, since 1970. On both engines, whole numbers have a whole quotient. */
const dayOfOrder = sql<number>`placed_at / ${sql.lit(dayMs)}`;
export const quarterOfOrder = sql<number>`placed_at / ${sql.lit(quarterMs)}`;

/** Times in milliseconds since 1970: `from` is included, `until` is not. */
type Span = { from?: number; until?: number };

/**
 * The condition that an order of some time is not withdrawn, and that it is in the sums, or not. It has one lower and one upper bound of
 * ids, because SQLite would use either of two. Of an order of an older version the time is up to some milliseconds after that of its id.
 */
export function isSold({ isSummedUp, from, until }: Span & { isSummedUp: boolean }): RawBuilder<boolean> {
  const progress = sql`(select until_id from sales_progress)`;
  const low = from === undefined ? '' : firstIdAt(from - idSlackMs);
  const high = until === undefined ? '~' : firstIdAt(until);
  const ids = isSummedUp
    ? sql`id >= ${low} and id < case when ${progress} < ${high} then ${progress} else ${high} end`
    : sql`id >= case when ${progress} > ${low} then ${progress} else ${low} end and id < ${high}`;
  const first = from === undefined ? sql`` : sql`and placed_at >= ${from}`;
  const last = until === undefined ? sql`` : sql`and placed_at < ${until}`;
  return sql`${ids} ${first} ${last} and withdrawn_at is null`;
}

/**
 * Adds up the orders that have settled. Of several nodes that do it at once, each step is done by one of them.
 * @param signal ends it after the step that is under way.
 */
export async function rollUpSales(
  db: Db,
  { now = Date.now(), signal }: { now?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const newest = await db.selectFrom('orders').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (!newest) return;
  // No further than there are orders: a clock that is hours ahead would leave out those of the next hours.
  const afterNewest = `${newest.id}~`;
  const afterHour = firstIdAt(now - settledAfterMs);
  const settled = afterNewest < afterHour ? afterNewest : afterHour;
  while (!signal?.aborted && (await rollUpStep(db, settled)));
}

/** @returns whether more orders may have settled. */
async function rollUpStep(db: Db, settled: string): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const from = await lockProgress(db);
    const ordersUntil = (until: string) =>
      db.selectFrom('orders').where('id', '>=', from).where('id', '<', until);
    const inOrder = (until: string) => ordersUntil(until).select('id').orderBy('id').limit(1);
    const first = await inOrder(settled).executeTakeFirst();
    if (!first) return false;
    // A step has the orders of one month, whose first day is known here: the engines compute it in different ways.
    const month = monthOfDay(Math.floor(timeOfId(first.id) / dayMs));
    const nextMonth = firstIdAt(monthAfter(month) * dayMs);
    const last = nextMonth < settled ? nextMonth : settled;
    const until = (await inOrder(last).offset(ordersPerStep).executeTakeFirst())?.id ?? last;
    await addOrders(db, ordersUntil(until).where('withdrawn_at', 'is', null), month);
    await db.updateTable('sales_progress').set({ until_id: until }).execute();
    return until < settled;
  });
}

const sums = [sql<number>`count(*)`.as('orders'), sql<number>`sum(price_cents)`.as('revenue_cents')] as const;

const allOrders = (db: Db) => db.selectFrom('orders');

/** @param month of all these orders, by its first day. */
async function addOrders(db: Db, orders: ReturnType<typeof allOrders>, month: number): Promise<void> {
  await db
    .insertInto('sales_quarters')
    .columns(['quarter', 'orders', 'revenue_cents'])
    .expression(orders.select([quarterOfOrder.as('quarter'), ...sums]).groupBy(quarterOfOrder))
    .onConflict((conflict) => conflict.column('quarter').doUpdateSet(added('sales_quarters')))
    .execute();
  await db
    .insertInto('sales_books_by_day')
    .columns(['day', 'book_id', 'orders', 'revenue_cents'])
    .expression(orders.select([dayOfOrder.as('day'), 'book_id', ...sums]).groupBy([dayOfOrder, 'book_id']))
    .onConflict((conflict) => conflict.columns(['day', 'book_id']).doUpdateSet(added('sales_books_by_day')))
    .execute();
  await db
    .insertInto('sales_books_by_month')
    .columns(['month', 'book_id', 'orders', 'revenue_cents'])
    .expression(
      orders.select([sql<number>`${sql.lit(month)}`.as('month'), 'book_id', ...sums]).groupBy('book_id'),
    )
    .onConflict((conflict) =>
      conflict.columns(['month', 'book_id']).doUpdateSet(added('sales_books_by_month')),
    )
    .execute();
  await db
    .insertInto('sales_books')
    .columns(['book_id', 'orders', 'revenue_cents', 'last_sold_at'])
    .expression(
      orders
        .select(['book_id', ...sums, sql<number>`max(placed_at)`.as('last_sold_at')])
        .groupBy('book_id')
        .orderBy('book_id'),
    )
    .onConflict((conflict) =>
      conflict.column('book_id').doUpdateSet({
        ...added('sales_books'),
        last_sold_at: sql<number>`excluded.last_sold_at`,
      }),
    )
    .execute();
  await db
    .insertInto('sales_customers')
    .columns(['customer_id', 'orders', 'revenue_cents'])
    .expression(orders.select(['customer_id', ...sums]).groupBy('customer_id'))
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(added('sales_customers')))
    .execute();
}

type SumsTable =
  | 'sales_quarters'
  | 'sales_books_by_day'
  | 'sales_books_by_month'
  | 'sales_books'
  | 'sales_customers';

/** The orders of a row may come in several steps. */
const added = (table: SumsTable) => ({
  orders: sql<number>`${sql.ref(`${table}.orders`)} + excluded.orders`,
  revenue_cents: sql<number>`${sql.ref(`${table}.revenue_cents`)} + excluded.revenue_cents`,
});

/** @returns the id up to which orders are in the sums. Other nodes and withdrawals wait for the transaction, and see its changes. */
async function lockProgress(db: Db): Promise<string> {
  const progress = db.selectFrom('sales_progress').select('until_id').orderBy('id');
  return (await engineOf(db).lockedInOrder(progress).executeTakeFirstOrThrow()).until_id;
}

type WithdrawnOrder = {
  id: string;
  bookId: string;
  customerId: string;
  placedAt: number;
  priceCents: number;
};

/**
 * Takes an order that was withdrawn out of the sums, if it is in them.
 * @param db the transaction that has withdrawn it: a roll-up has counted it before, or leaves it out.
 */
export async function takeOutOfSales(db: Db, order: WithdrawnOrder): Promise<void> {
  const { id, bookId, customerId, placedAt, priceCents } = order;
  if (id >= (await lockProgress(db))) return;
  const less = {
    orders: sql<number>`orders - 1`,
    revenue_cents: sql<number>`revenue_cents - ${priceCents}`,
  };
  const ofBook = { book_id: bookId };
  await db
    .updateTable('sales_quarters')
    .set(less)
    .where('quarter', '=', Math.floor(placedAt / quarterMs))
    .execute();
  await db
    .updateTable('sales_books_by_day')
    .set(less)
    .where(({ and }) => and({ day: Math.floor(placedAt / dayMs), ...ofBook }))
    .execute();
  await db
    .updateTable('sales_books_by_month')
    .set(less)
    .where(({ and }) => and({ month: monthOfDay(Math.floor(timeOfId(id) / dayMs)), ...ofBook }))
    .execute();
  await db.updateTable('sales_customers').set(less).where('customer_id', '=', customerId).execute();
  const book = await db
    .updateTable('sales_books')
    .set(less)
    .where(({ and }) => and(ofBook))
    .returning('last_sold_at')
    .executeTakeFirst();
  if (book?.last_sold_at !== placedAt) return;
  const lastSoldAt = await findLastSale(db, bookId);
  if (lastSoldAt !== undefined) {
    await db
      .updateTable('sales_books')
      .set({ last_sold_at: lastSoldAt })
      .where(({ and }) => and(ofBook))
      .execute();
  }
}

/** @returns the time of a book's last sale in the sums: on its last day of sales, whose orders are read. */
async function findLastSale(db: Db, bookId: string): Promise<number | undefined> {
  const lastDay = await db
    .selectFrom('sales_books_by_day')
    .select('day')
    .where('book_id', '=', bookId)
    .where('orders', '>', 0)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!lastDay) return undefined;
  const days = { from: lastDay.day * dayMs, until: (lastDay.day + 1) * dayMs };
  const { at } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.max<number | null>('placed_at').as('at'))
    .where('book_id', '=', bookId)
    .where(isSold({ isSummedUp: true, ...days }))
    .executeTakeFirstOrThrow();
  return at ?? undefined;
}

const monthStart = (day: number, months: number): number => {
  const date = new Date(day * dayMs);
  return Math.floor(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / dayMs);
};

/** @returns the first day of the month of a day, both in days since 1970. */
export const monthOfDay = (day: number): number => monthStart(day, 0);

/** @returns the first day of the month after that of a day, or so many months later. */
export const monthAfter = (day: number, months = 1): number => monthStart(day, months);
