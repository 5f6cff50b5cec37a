/** The sales: by day, week or month of the shop's zone, and by book. The sums of it are in sales-sums.ts. */

import { sql } from 'kysely';
import type { BestSeller, Sales, SalesPeriod } from '../../contract/desk/sales.ts';
import { centsToAmount } from '../../contract/money.ts';
import { dayAt, dayOf, startOfDay, textOfDay } from '../../contract/shop-days.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';
import { isSold, monthAfter, monthOfDay, quarterMs, quarterOfOrder } from './sales-sums.ts';

/** Ten years of days. Longer lists would cost the browser, and best sellers of a longer time the store, more than they tell. */
const maxPeriods = 3_700;
const defaultPeriods = { day: 30, week: 26, month: 24 } as const;

/** The days that the owner asks for, such as `2026-11-21`, in the shop's zone. */
type SalesRange = { from?: string | undefined; to?: string | undefined };

/** Where and when it is asked: the shop's zone, and the time in milliseconds since 1970. */
type Here = { zone: string; now?: number };

/**
 * Counts the orders and the revenue of each day, week or month, oldest first, also of those without an order. The first and the last
 * one are cut at the days that are asked for.
 * @param count how many there are where `from` is left out.
 * @throws {Problem} VALIDATION_FAILED for days in the wrong order, or too many.
 */
export async function listSales(
  db: Db,
  { by, from, to, count = defaultPeriods[by] }: SalesRange & { by: SalesPeriod; count?: number },
  { zone, now = Date.now() }: Here,
): Promise<Sales[]> {
  const { startOf, move } = periods[by];
  const last = to === undefined ? dayAt(now, zone) : dayOf(to);
  const first = from === undefined ? move(startOf(last), 1 - count) : dayOf(from);
  checkOrder(first, last);
  const spans: Days[] = [];
  for (let start = startOf(first); start <= last; start = move(start, 1)) {
    const span = { first: Math.max(start, first), last: Math.min(move(start, 1) - 1, last) };
    if (spans.push(span) > maxPeriods) throw tooLong(by);
  }
  const starts = spans.map((days) => startOfDay(days.first, zone) / quarterMs);
  const end = startOfDay(last + 1, zone) / quarterMs;
  const sums = spans.map(() => ({ orders: 0, revenueCents: 0 }));
  for (const { place, quarter, orders, revenueCents } of await readSums(db, [...starts, end])) {
    const sum = sums[place ?? starts.findLastIndex((start) => start <= Number(quarter))];
    if (!sum) continue;
    sum.orders += Number(orders);
    sum.revenueCents += Number(revenueCents);
  }
  return spans.map((days, place) => ({
    from: textOfDay(days.first),
    to: textOfDay(days.last),
    orders: sums[place]?.orders ?? 0,
    revenue: centsToAmount(sums[place]?.revenueCents ?? 0),
  }));
}

type Summed = { place: number | null; quarter: number | null; orders: number; revenueCents: number };

/**
 * Reads the sums between each bound and the next one, in quarters of an hour since 1970; `place` counts these spans. Orders that are not
 * in the sums yet come by their quarter. One statement sees one state of both.
 */
async function readSums(db: Db, bounds: readonly number[]): Promise<Summed[]> {
  const spans = bounds.slice(0, -1).map((low, place) => ({ place, low, high: bounds[place + 1] ?? 0 }));
  const [first = 0, last = 0] = [bounds[0], bounds.at(-1)];
  const later = isSold({ isSummedUp: false, from: first * quarterMs, until: last * quarterMs });
  const items = engineOf(db).itemTable(JSON.stringify(spans), {
    place: 'bigint',
    low: 'bigint',
    high: 'bigint',
  });
  const { rows } = await sql<Summed>`
    select item.place, null as quarter, cast(sum(orders) as bigint) as orders,
        cast(sum(revenue_cents) as bigint) as "revenueCents"
      from ${items} join sales_quarters on quarter >= item.low and quarter < item.high
      group by item.place
    union all
    select null, ${quarterOfOrder}, count(*), sum(price_cents) from orders where ${later} group by 2
  `.execute(db);
  return rows.map((row) => ({ ...row, place: row.place === null ? null : Number(row.place) }));
}

/** Days since 1970, both included. */
type Days = { first: number; last: number };

/**
 * Lists the books of which most was sold, by orders and then by revenue. The sums by day and month are those of UTC: the hours before
 * the first and after the last whole day are read from the orders.
 * @throws {Problem} VALIDATION_FAILED for days in the wrong order, or too many.
 */
export async function listBestSellers(
  db: Db,
  { from, to, limit }: SalesRange & { limit: number },
  { zone, now = Date.now() }: Here,
): Promise<BestSeller[]> {
  const last = to === undefined ? dayAt(now, zone) : dayOf(to);
  const first = from === undefined ? last + 1 - defaultPeriods.day : dayOf(from);
  checkOrder(first, last);
  if (last - first >= maxPeriods) throw tooLong('day');
  const [start, end] = [startOfDay(first, zone), startOfDay(last + 1, zone)];
  const whole = { first: Math.ceil(start / dayMs), last: Math.floor(end / dayMs) - 1 };
  const months = wholeMonths(whole);
  const morning = { from: start, until: Math.min(whole.first * dayMs, end) };
  const evening = { from: Math.max((whole.last + 1) * dayMs, morning.until), until: end };
  const { rows } = await sql<Omit<BestSeller, 'revenue'> & { revenueCents: number }>`
    select book_id as "_id", coalesce(title, '') as title, coalesce(author, '') as author, sold.orders, "revenueCents" from (
      select book_id, cast(sum(orders) as bigint) as orders, cast(sum(revenue_cents) as bigint) as "revenueCents" from (
        select book_id, orders, revenue_cents from sales_books_by_month
          where month >= ${months.start} and month < ${months.end}
        union all
        select book_id, orders, revenue_cents from sales_books_by_day
          where day between ${whole.first} and ${Math.min(whole.last, months.start - 1)}
            or day between ${Math.max(whole.first, months.end)} and ${whole.last}
        union all
        select book_id, count(*), sum(price_cents) from orders
          where ${isSold({ isSummedUp: true, ...morning })} group by 1
        union all
        select book_id, count(*), sum(price_cents) from orders
          where ${isSold({ isSummedUp: true, ...evening })} group by 1
        union all
        select book_id, count(*), sum(price_cents) from orders
          where ${isSold({ isSummedUp: false, from: start, until: end })} group by 1
      ) as parts group by book_id having sum(orders) > 0 order by 2 desc, 3 desc, book_id limit ${limit}
    ) as sold left join books on books.id = book_id
    order by sold.orders desc, "revenueCents" desc, book_id
  `.execute(db);
  return rows.map(({ revenueCents, ...row }) => ({ ...row, revenue: centsToAmount(revenueCents) }));
}

/** @returns the first day of the first month that is in the days as a whole, and the day after the last one. */
function wholeMonths({ first, last }: Days): { start: number; end: number } {
  const start = monthOfDay(first) === first ? first : monthAfter(first);
  const end = monthOfDay(last + 1);
  // Without a whole month, all days come before its start.
  return start < end ? { start, end } : { start: last + 1, end: last + 1 };
}

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

const periods: Readonly<Record<SalesPeriod, Period>> = {
  day: { startOf: (day) => day, move: (start, days) => start + days },
  // The first day of 1970 was a Thursday.
  week: {
    startOf: (day) => day - ((((day + 3) % 7) + 7) % 7),
    move: (start, weeks) => start + weeks * 7,
  },
  month: { startOf: monthOfDay, move: monthAfter },
};
