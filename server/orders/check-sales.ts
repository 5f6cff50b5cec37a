import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';
import { monthOfDay } from './sales.ts';

const dateOf = (day: number): string => dayText(day * dayMs);

/**
 * Compares the roll-ups with the orders that are in them, and with each other. Each comparison is one statement, so orders and
 * roll-ups of other processes do not disturb it.
 * @returns how many orders and days were compared, and a sentence for each day or month that differs.
 */
export async function checkSales(db: Db): Promise<{ orders: number; days: number; faults: string[] }> {
  const rolledUp = sql`select day, orders, revenue_cents from sales_days`;
  const ofOrders = sql`
    select placed_at / ${sql.lit(dayMs)} as day, count(*) as orders, sum(price_cents) as revenue_cents from orders
    where id < (select until_id from sales_progress) group by 1
  `;
  const ofBooks = sql`select day, orders, revenue_cents from sales_books_by_day`;
  const faults = [
    ...(await compare(db, rolledUp, ofOrders, 'the orders')),
    ...(await compare(db, rolledUp, ofBooks, 'those of its books')),
    ...(await compareMonths(db)),
  ];
  const { rows } = await sql<{ orders: number; days: number }>`
    select coalesce(sum(orders), 0) as orders, count(*) as days from sales_days
  `.execute(db);
  return { orders: Number(rows[0]?.orders), days: Number(rows[0]?.days), faults };
}

type Sums = ReturnType<typeof sql>;

async function compare(db: Db, sums: Sums, others: Sums, name: string): Promise<string[]> {
  const { rows } = await sql<{ day: number }>`
    select day from (
      ${sums} union all select day, -orders, -revenue_cents from (${others}) as others
    ) as compared group by day having sum(orders) <> 0 or sum(revenue_cents) <> 0 order by day
  `.execute(db);
  return rows.map(({ day }) => `The sales of ${dateOf(Number(day))} differ from ${name}.`);
}

/** The engines compute months in different ways, so this is done here: ten years have 3,700 days. */
async function compareMonths(db: Db): Promise<string[]> {
  const { rows } = await sql<{ isMonth: number; day: number; orders: number; cents: number }>`
    select 0 as "isMonth", day, orders, revenue_cents as cents from sales_days
    union all select 1, month, sum(orders), sum(revenue_cents) from sales_books_by_month group by month
  `.execute(db);
  const sums = new Map<number, { orders: number; cents: number }>();
  for (const { isMonth, day, orders, cents } of rows) {
    const month = isMonth ? Number(day) : monthOfDay(Number(day));
    const sum = sums.get(month) ?? { orders: 0, cents: 0 };
    const sign = isMonth ? -1 : 1;
    sums.set(month, {
      orders: sum.orders + sign * Number(orders),
      cents: sum.cents + sign * Number(cents),
    });
  }
  return [...sums]
    .filter(([, { orders, cents }]) => orders !== 0 || cents !== 0)
    .map(([month]) => `The sales of the month of ${dateOf(month)} differ from those of its days.`);
}
