import { sql } from 'kysely';
import { firstIdAt, timeOfId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';
import { monthAfter, monthOfDay } from './sales.ts';

const dateOf = (day: number): string => dayText(day * dayMs);

/**
 * Compares the roll-ups with each other, and with the orders up to their last hour that were not withdrawn. Each comparison is one
 * statement, so orders and roll-ups of other processes do not disturb it.
 * @returns how many orders and days were compared, and a sentence for each day or month that differs.
 */
export async function checkSales(db: Db): Promise<{ orders: number; days: number; faults: string[] }> {
  const rolledUp = sql`select day, orders, revenue_cents from sales_days`;
  const ofOrders = sql`
    select placed_at / ${sql.lit(dayMs)} as day, count(*) as orders, sum(price_cents) as revenue_cents from orders
    where id < (select until_id from sales_progress) and withdrawn_at is null group by 1
  `;
  const ofBooks = sql`select day, orders, revenue_cents from sales_books_by_day`;
  const faults = [
    ...(await compare(db, rolledUp, ofOrders, (day) => `${day} differ from the orders`)),
    ...(await compare(db, rolledUp, ofBooks, (day) => `${day} differ from those of its books`)),
    ...(await compareMonths(db)),
  ];
  const { rows } = await sql<{ orders: number; days: number }>`
    select coalesce(sum(orders), 0) as orders, count(*) as days from sales_days
  `.execute(db);
  return { orders: Number(rows[0]?.orders), days: Number(rows[0]?.days), faults };
}

type Sums = ReturnType<typeof sql>;

/** Both have `day`, `orders` and `revenue_cents`. @param difference the end of the sentence about a day. */
async function compare(
  db: Db,
  sums: Sums,
  others: Sums,
  difference: (day: string) => string,
): Promise<string[]> {
  const { rows } = await sql<{ day: number }>`
    select day from (
      ${sums} union all select day, -orders, -revenue_cents from (${others}) as others
    ) as compared group by day having sum(orders) <> 0 or sum(revenue_cents) <> 0 order by day
  `.execute(db);
  return rows.map(({ day }) => `The sales of ${difference(dateOf(Number(day)))}.`);
}

/**
 * The month of an order is that of its id, whose time may be some milliseconds before the one that makes its day
 * (database/ids.ts). The engines compute months in different ways, so those that have orders are listed first. In a month that
 * begins meanwhile nothing is rolled up yet.
 */
async function compareMonths(db: Db): Promise<string[]> {
  const ofMonths = sql`
    select month as day, sum(orders) as orders, sum(revenue_cents) as revenue_cents from sales_books_by_month group by month
  `;
  const ofOrders = (await listMonths(db)).map(
    (month) => sql`
      select ${sql.lit(month)} as day, count(*) as orders, coalesce(sum(price_cents), 0) as revenue_cents from orders
      where id >= ${firstIdAt(month * dayMs)} and id < ${firstIdAt(monthAfter(month) * dayMs)}
        and id < (select until_id from sales_progress) and withdrawn_at is null
    `,
  );
  const none = sql`select 0 as day, 0 as orders, 0 as revenue_cents`;
  const sums = sql.join([none, ...ofOrders], sql` union all `);
  return await compare(db, ofMonths, sums, (month) => `the month of ${month} differ from its orders`);
}

/** @returns the first day of each month that has an order. */
async function listMonths(db: Db): Promise<number[]> {
  const months: number[] = [];
  for (let from = ''; ; ) {
    const first = db.selectFrom('orders').select('id').where('id', '>=', from).orderBy('id').limit(1);
    const order = await first.executeTakeFirst();
    if (!order) return months;
    const month = monthOfDay(Math.floor(timeOfId(order.id) / dayMs));
    months.push(month);
    from = firstIdAt(monthAfter(month) * dayMs);
  }
}
