/** The sales, without withdrawn and cancelled orders: by day, week or month in the shop's zone, and by book. */

import { sql } from 'kysely';
import type { BestSeller, Sales, SalesPeriod } from '../../contract/desk/sales.ts';
import { centsToAmount } from '../../contract/money.ts';
import { dayAt, dayOf, startOfDay, textOfDay } from '../../contract/shop-days.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';
import type { SoldCounts } from '../search/ranks.ts';

/** Days such as `2026-11-21`, in the shop's zone. */
type SalesRange = { from?: string | undefined; to?: string | undefined };

/** The shop's zone, and the time in milliseconds since 1970. */
type Here = { zone: string; now?: number };

/** The limit is ten years of days. The browser could not usefully show a longer list. */
const maxPeriods = 3_700;

/**
 * Counts the orders and the revenue of each day, week or month, oldest first, including those without orders. The first and the last period
 * are cut at the given days. @param count how many periods there are if `from` is left out. @throws {Problem} VALIDATION_FAILED for days in
 * the wrong order, or too many.
 */
export async function listSales(
  db: Db,
  { by, count = periods[by].usual, ...range }: SalesRange & { by: SalesPeriod; count?: number },
  { zone, now = Date.now() }: Here,
): Promise<Sales[]> {
  const { startOf, move } = periods[by];
  const { first, last } = daysOf({ by, count, ...range }, { zone, now });
  const spans: { place: number; first: number; last: number; low: number; high: number }[] = [];
  for (let start = startOf(first); start <= last; start = move(start, 1)) {
    const span = { first: Math.max(start, first), last: Math.min(move(start, 1) - 1, last) };
    const times = { low: startOfDay(span.first, zone), high: startOfDay(span.last + 1, zone) };
    if (spans.push({ place: spans.length, ...span, ...times }) > maxPeriods)
      throw fieldProblem(
        'from',
        `Must be less than ${maxPeriods.toLocaleString('en')} ${by}s before the last day.`,
      );
  }
  const columns = { place: 'bigint', low: 'bigint', high: 'bigint' } as const;
  const { rows } = await sql<{ place: number; orders: number; cents: number; delivery: number }>`
    select place, count(*) as orders, sum(price_cents) as cents, sum(coalesce(delivery_cents, 0)) as delivery from ${engineOf(db).itemTable(spans, columns)}
    join orders on placed_at >= item.low and placed_at < item.high and withdrawn_at is null and cancelled_at is null
    group by place
  `.execute(db);
  const sums = new Map(rows.map((row) => [Number(row.place), row]));
  return spans.map(({ place, first, last }) => ({
    from: textOfDay(first),
    to: textOfDay(last),
    orders: Number(sums.get(place)?.orders ?? 0),
    revenue: centsToAmount(Number(sums.get(place)?.cents ?? 0)),
    delivery: centsToAmount(Number(sums.get(place)?.delivery ?? 0)),
  }));
}

/** Lists the best-selling books, by orders and then by revenue. @throws {Problem} VALIDATION_FAILED, as {@link listSales}. */
export async function listBestSellers(
  db: Db,
  { limit, ...range }: SalesRange & { limit: number },
  { zone, now = Date.now() }: Here,
): Promise<BestSeller[]> {
  const { first, last } = daysOf({ by: 'day', count: periods.day.usual, ...range }, { zone, now });
  const { rows } = await sql<Omit<BestSeller, 'revenue'> & { cents: number }>`
    select book_id as "_id", coalesce(title, '') as title, coalesce(author, '') as author, orders, cents from (
      select book_id, count(*) as orders, cast(sum(price_cents) as bigint) as cents from orders
      where placed_at >= ${startOfDay(first, zone)} and placed_at < ${startOfDay(last + 1, zone)} and withdrawn_at is null and cancelled_at is null
      group by book_id order by 2 desc, 3 desc, book_id limit ${limit}
    ) as sold left join books on books.id = book_id
    order by orders desc, cents desc, book_id
  `.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, revenue: centsToAmount(cents) }));
}

/** Counts the best sellers' orders in the 90 days before today, which decide between equal matches of a search. */
export async function countSold(db: Db, now = Date.now()): Promise<SoldCounts> {
  const range = { from: dayText(now - 90 * dayMs), to: dayText(now - dayMs), limit: 2_000 };
  const books = await listBestSellers(db, range, { zone: 'UTC', now });
  return new Map(books.map(({ _id, orders }) => [_id, orders]));
}

/** @returns days since 1970, both included. */
function daysOf(
  { by, count, from, to }: SalesRange & { by: SalesPeriod; count: number },
  { zone, now }: Required<Here>,
) {
  const { startOf, move } = periods[by];
  const last = to === undefined ? dayAt(now, zone) : dayOf(to);
  const first = from === undefined ? move(startOf(last), 1 - count) : dayOf(from);
  if (first > last) throw fieldProblem('to', 'Must not be before the first day.');
  return { first, last };
}

const monthStart = (day: number, months: number): number => {
  const date = new Date(day * dayMs);
  return Math.floor(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / dayMs);
};

/**
 * `usual`: how many periods are listed if no first day is given. `startOf` returns the first day of the period with a day, `move` the first
 * day of the period that comes so many later.
 */
const periods = {
  day: { usual: 30, startOf: (day: number) => day, move: (start: number, days: number) => start + days },
  week: {
    usual: 26,
    // The first day of 1970 was a Thursday.
    startOf: (day: number) => day - ((((day + 3) % 7) + 7) % 7),
    move: (start: number, weeks: number) => start + weeks * 7,
  },
  month: { usual: 24, startOf: (day: number) => monthStart(day, 0), move: monthStart },
} as const satisfies Record<SalesPeriod, object>;
