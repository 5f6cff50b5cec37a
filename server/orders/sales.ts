/** The sales, of orders that were not withdrawn: by day, week or month of the shop's zone, and by book. */

import { sql } from 'kysely';
import type { BestSeller, Sales, SalesPeriod } from '../../contract/desk/sales.ts';
import { centsToAmount } from '../../contract/money.ts';
import { dayAt, dayOf, startOfDay, textOfDay } from '../../contract/shop-days.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';

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
  const bounds = [...spans.map((days) => days.first), last + 1].map((day) => startOfDay(day, zone));
  const sums = await readSums(db, bounds);
  return spans.map((days, place) => ({
    from: textOfDay(days.first),
    to: textOfDay(days.last),
    orders: sums.get(place)?.orders ?? 0,
    revenue: centsToAmount(sums.get(place)?.cents ?? 0),
  }));
}

/** @returns by its place the sums of each span between two of these times, in milliseconds since 1970; none for one without orders. */
async function readSums(
  db: Db,
  bounds: readonly number[],
): Promise<ReadonlyMap<number, { orders: number; cents: number }>> {
  const spans = bounds.slice(0, -1).map((low, place) => ({ place, low, high: bounds[place + 1] ?? 0 }));
  const items = engineOf(db).itemTable(JSON.stringify(spans), {
    place: 'bigint',
    low: 'bigint',
    high: 'bigint',
  });
  const { rows } = await sql<{ place: number; orders: number; cents: number }>`
    select place, count(*) as orders, sum(price_cents) as cents
    from ${items} join orders on placed_at >= item.low and placed_at < item.high and withdrawn_at is null
    group by place
  `.execute(db);
  return new Map(
    rows.map(({ place, orders, cents }) => [Number(place), { orders: Number(orders), cents: Number(cents) }]),
  );
}

/** Days since 1970, both included. */
type Days = { first: number; last: number };

/**
 * Lists the books of which most was sold, by orders and then by revenue.
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
  const { rows } = await sql<Omit<BestSeller, 'revenue'> & { cents: number }>`
    select book_id as "_id", coalesce(title, '') as title, coalesce(author, '') as author, orders, cents from (
      select book_id, count(*) as orders, cast(sum(price_cents) as bigint) as cents from orders
      where placed_at >= ${startOfDay(first, zone)} and placed_at < ${startOfDay(last + 1, zone)} and withdrawn_at is null
      group by book_id order by 2 desc, 3 desc, book_id limit ${limit}
    ) as sold left join books on books.id = book_id
    order by orders desc, cents desc, book_id
  `.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, revenue: centsToAmount(cents) }));
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

const monthStart = (day: number, months: number): number => {
  const date = new Date(day * dayMs);
  return Math.floor(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / dayMs);
};

const periods: Readonly<Record<SalesPeriod, Period>> = {
  day: { startOf: (day) => day, move: (start, days) => start + days },
  // The first day of 1970 was a Thursday.
  week: {
    startOf: (day) => day - ((((day + 3) % 7) + 7) % 7),
    move: (start, weeks) => start + weeks * 7,
  },
  month: { startOf: (day) => monthStart(day, 0), move: monthStart },
};
