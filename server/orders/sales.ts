/**
 * Sales: the orders that were not withdrawn. Those of finished hours are rolled up, in small steps, into rows for each day, for
 * each book and day, and for each book and month: a year of a busy shop is 365 rows instead of millions. Later orders are read one
 * by one (docs/decisions/0039).
 */

import { type RawBuilder, sql } from 'kysely';
import type { BestSeller, Sales, SalesPeriod } from '../../contract/desk/sales.ts';
import { centsToAmount } from '../../contract/money.ts';
import { engineOf } from '../database/engine.ts';
import { firstIdAt, timeOfId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';

/**
 * An order may be stored some time after its id was made, and clocks differ: a younger order may yet get a lower id. An order
 * that is stored later than that would never be counted.
 */
const settledAfterMs = 60 * 60 * 1000;
/** Orders of a statement. It takes some milliseconds, and holds up the orders of that time on SQLite. */
const ordersPerStep = 5_000;

/** The day of an order, in days since 1970. On both engines, whole numbers have a whole quotient. */
const dayOfOrder = sql<number>`placed_at / ${sql.lit(dayMs)}`;

/**
 * Rolls up the orders that have settled. Of several nodes that do it at once, each step is done by one of them.
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
    const month = periods.month.startOf(dayAt(timeOfId(first.id)));
    const nextMonth = firstIdAt(periods.month.move(month, 1) * dayMs);
    const last = nextMonth < settled ? nextMonth : settled;
    const until = (await inOrder(last).offset(ordersPerStep).executeTakeFirst())?.id ?? last;

    const orders = ordersUntil(until).where('withdrawn_at', 'is', null);
    const sums = [
      sql<number>`count(*)`.as('orders'),
      sql<number>`sum(price_cents)`.as('revenue_cents'),
    ] as const;
    await db
      .insertInto('sales_days')
      .columns(['day', 'orders', 'revenue_cents'])
      .expression(orders.select([dayOfOrder.as('day'), ...sums]).groupBy(dayOfOrder))
      .onConflict((conflict) => conflict.column('day').doUpdateSet(added('sales_days')))
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
    await db.updateTable('sales_progress').set({ until_id: until }).execute();
    return until < settled;
  });
}

/** @returns the id up to which orders are rolled up. Other nodes and withdrawals wait for the transaction, and see its changes. */
async function lockProgress(db: Db): Promise<string> {
  const progress = db.selectFrom('sales_progress').select('until_id').orderBy('id');
  return (await engineOf(db).lockedInOrder(progress).executeTakeFirstOrThrow()).until_id;
}

/**
 * Takes an order that was withdrawn out of the roll-ups, if it is in them.
 * @param db the transaction that has withdrawn it: a roll-up has counted it before, or leaves it out.
 */
export async function takeOutOfSales(
  db: Db,
  { id, bookId, placedAt, priceCents }: { id: string; bookId: string; placedAt: number; priceCents: number },
): Promise<void> {
  if (id >= (await lockProgress(db))) return;
  const day = dayAt(placedAt);
  const less = {
    orders: sql<number>`orders - 1`,
    revenue_cents: sql<number>`revenue_cents - ${priceCents}`,
  };
  await db.updateTable('sales_days').set(less).where('day', '=', day).execute();
  await db
    .updateTable('sales_books_by_day')
    .set(less)
    .where('day', '=', day)
    .where('book_id', '=', bookId)
    .execute();
  await db
    .updateTable('sales_books_by_month')
    .set(less)
    .where('month', '=', monthOfDay(dayAt(timeOfId(id))))
    .where('book_id', '=', bookId)
    .execute();
}

/** A day may be rolled up in several steps. */
const added = (table: 'sales_days' | 'sales_books_by_day' | 'sales_books_by_month') => ({
  orders: sql<number>`${sql.ref(`${table}.orders`)} + excluded.orders`,
  revenue_cents: sql<number>`${sql.ref(`${table}.revenue_cents`)} + excluded.revenue_cents`,
});

/** Days since 1970 in UTC, both included. */
type Days = { first: number; last: number };

/**
 * The condition that an order of some days is neither rolled up nor withdrawn. It has one lower bound, because SQLite would use
 * either of two.
 */
const isNotRolledUp = ({ first, last }: Days): RawBuilder<boolean> => {
  const until = sql`(select until_id from sales_progress)`;
  const from = firstIdAt(first * dayMs);
  return sql`id >= case when ${until} > ${from} then ${until} else ${from} end and id < ${firstIdAt((last + 1) * dayMs)} and withdrawn_at is null`;
};

/** Ten years of days. Longer lists would cost the browser, and best sellers of a longer time the store, more than they tell. */
const maxPeriods = 3_700;
const defaultPeriods = { day: 30, week: 26, month: 24 } as const;

/** The days that the owner asks for, such as `2026-11-21`, in UTC. */
type SalesRange = { from?: string | undefined; to?: string | undefined };

/**
 * Counts the orders and the revenue of each day, week or month, oldest first, also of those without an order.
 * @param now in milliseconds since 1970.
 * @throws {Problem} VALIDATION_FAILED for days in the wrong order, or too many.
 */
export async function listSales(
  db: Db,
  { by, from, to }: SalesRange & { by: SalesPeriod },
  now = Date.now(),
): Promise<Sales[]> {
  const { startOf, move } = periods[by];
  const lastPeriod = startOf(to === undefined ? dayAt(now) : dayOf(to));
  const firstPeriod = from === undefined ? move(lastPeriod, 1 - defaultPeriods[by]) : startOf(dayOf(from));
  checkOrder(firstPeriod, lastPeriod);
  const starts: number[] = [];
  for (let start = firstPeriod; start <= lastPeriod; start = move(start, 1)) {
    if (starts.push(start) > maxPeriods) throw tooLong(by);
  }
  const days = { first: firstPeriod, last: move(lastPeriod, 1) - 1 };
  const { rows } = await sql<{ day: number; orders: number; revenueCents: number }>`
    select day, cast(sum(orders) as bigint) as orders, cast(sum(revenue_cents) as bigint) as "revenueCents" from (
      select day, orders, revenue_cents from sales_days where day between ${days.first} and ${days.last}
      union all
      select ${dayOfOrder}, count(*), sum(price_cents) from orders where ${isNotRolledUp(days)} group by 1
    ) as sold group by day
  `.execute(db);
  const sums = new Map(starts.map((start) => [start, { orders: 0, revenueCents: 0 }]));
  for (const { day, orders, revenueCents } of rows) {
    const sum = sums.get(startOf(Number(day)));
    // An order of an older version may be of the next day by its time, and of this one by its id.
    if (!sum) continue;
    sum.orders += orders;
    sum.revenueCents += revenueCents;
  }
  return [...sums].map(([start, { orders, revenueCents }]) => ({
    from: dayText(start * dayMs),
    orders,
    revenue: centsToAmount(revenueCents),
  }));
}

/**
 * Lists the books of which most was sold, by orders and then by revenue.
 * @param now in milliseconds since 1970.
 * @throws {Problem} VALIDATION_FAILED for days in the wrong order, or too many.
 */
export async function listBestSellers(
  db: Db,
  { from, to, limit }: SalesRange & { limit: number },
  now = Date.now(),
): Promise<BestSeller[]> {
  const last = to === undefined ? dayAt(now) : dayOf(to);
  const days = { first: from === undefined ? last + 1 - defaultPeriods.day : dayOf(from), last };
  checkOrder(days.first, days.last);
  if (days.last - days.first >= maxPeriods) throw tooLong('day');
  const months = wholeMonths(days);
  const { rows } = await sql<Omit<BestSeller, 'revenue'> & { revenueCents: number }>`
    select book_id as "_id", coalesce(title, '') as title, coalesce(author, '') as author, sold.orders, "revenueCents" from (
      select book_id, cast(sum(orders) as bigint) as orders, cast(sum(revenue_cents) as bigint) as "revenueCents" from (
        select book_id, orders, revenue_cents from sales_books_by_month
          where month >= ${months.start} and month < ${months.end}
        union all
        select book_id, orders, revenue_cents from sales_books_by_day
          where day between ${days.first} and ${Math.min(days.last, months.start - 1)}
            or day between ${Math.max(days.first, months.end)} and ${days.last}
        union all
        select book_id, count(*), sum(price_cents) from orders where ${isNotRolledUp(days)} group by 1
      ) as parts group by book_id having sum(orders) > 0 order by 2 desc, 3 desc, book_id limit ${limit}
    ) as sold left join books on books.id = book_id
    order by sold.orders desc, "revenueCents" desc, book_id
  `.execute(db);
  return rows.map(({ revenueCents, ...row }) => ({ ...row, revenue: centsToAmount(revenueCents) }));
}

/** @returns the first day of the first month that is in the days as a whole, and the day after the last one. */
function wholeMonths({ first, last }: Days): { start: number; end: number } {
  const { startOf, move } = periods.month;
  const start = startOf(first) === first ? first : move(startOf(first), 1);
  const end = startOf(last + 1);
  // Without a whole month, all days come before its start.
  return start < end ? { start, end } : { start: last + 1, end: last + 1 };
}

const dayAt = (ms: number): number => Math.floor(ms / dayMs);
const dayOf = (text: string): number => dayAt(Date.parse(text));

function checkOrder(first: number, last: number): void {
  if (first > last) throw fieldProblem('to', 'Must not be before the first day.');
}

const tooLong = (by: SalesPeriod) =>
  fieldProblem('from', `Must be less than ${maxPeriods.toLocaleString('en')} ${by}s before the last day.`);

type Period = {
  /** @returns the first day of the period that has a day. */
  startOf(day: number): number;
  /** @returns the first day of the period that comes so many periods later. */
  move(start: number, periods: number): number;
};

const monthStart = (start: number, months: number): number => {
  const date = new Date(start * dayMs);
  return dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
};

/** @returns the first day of the month of a day, both in days since 1970. */
export const monthOfDay = (day: number): number => monthStart(day, 0);

/** @returns the first day of the month after the one that begins on a day. */
export const monthAfter = (start: number): number => monthStart(start, 1);

const periods: Readonly<Record<SalesPeriod, Period>> = {
  day: { startOf: (day) => day, move: (start, days) => start + days },
  // The first day of 1970 was a Thursday.
  week: {
    startOf: (day) => day - ((((day + 3) % 7) + 7) % 7),
    move: (start, weeks) => start + weeks * 7,
  },
  month: { startOf: (day) => monthStart(day, 0), move: monthStart },
};
