import { sql } from 'kysely';
import { firstIdAt, timeOfId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';
import { isSold, monthAfter, monthOfDay, quarterMs, quarterOfOrder } from './sales-sums.ts';

const dateOf = (day: number): string => dayText(day * dayMs);
const quartersOfDay = dayMs / quarterMs;

/**
 * Compares the sums of sales with each other, and with the orders up to their last hour that were not withdrawn. Each comparison is one
 * statement, so orders and roll-ups of other processes do not disturb it.
 * @returns how many orders and days were compared, and a sentence for each day, month, book or customer that differs.
 */
export async function checkSales(db: Db): Promise<{ orders: number; days: number; faults: string[] }> {
  const ofQuarters = sql`select quarter as sum_of, orders, revenue_cents, 0 as last from sales_quarters`;
  const ofDays = sql`
    select quarter / ${sql.lit(quartersOfDay)} as sum_of, orders, revenue_cents, 0 as last from sales_quarters
  `;
  const ofBooksByDay = sql`select day as sum_of, orders, revenue_cents, 0 as last from sales_books_by_day`;
  const ofBooks = sql`
    select book_id as sum_of, orders, revenue_cents, case when orders > 0 then last_sold_at else 0 end as last
      from sales_books
  `;
  const ofCustomers = sql`select customer_id as sum_of, orders, revenue_cents, 0 as last from sales_customers`;
  const faults = [
    ...(await compare<number>(db, ofQuarters, ordersBy(quarterOfOrder))).map(
      (quarter) => `The sales of ${dateOf(Math.floor(quarter / quartersOfDay))} differ from the orders.`,
    ),
    ...(await compare<number>(db, ofDays, ofBooksByDay)).map(
      (day) => `The sales of ${dateOf(day)} differ from those of its books.`,
    ),
    ...(await compareMonths(db)),
    ...(await compare<string>(db, ofBooks, ordersBy(sql`book_id`, sql`max(placed_at)`))).map(
      (book) => `The sales of the book ${book} differ from its orders.`,
    ),
    ...(await compare<string>(db, ofCustomers, ordersBy(sql`customer_id`))).map(
      (customer) => `The sales of the customer ${customer} differ from their orders.`,
    ),
  ];
  const { rows } = await sql<{ orders: number; days: number }>`
    select coalesce(sum(orders), 0) as orders, count(distinct quarter / ${sql.lit(quartersOfDay)}) as days
      from sales_quarters
  `.execute(db);
  return { orders: Number(rows[0]?.orders), days: Number(rows[0]?.days), faults: [...new Set(faults)] };
}

type Sums = ReturnType<typeof sql>;

const ordersBy = (sumOf: Sums, last: Sums = sql`0`): Sums => sql`
  select ${sumOf} as sum_of, count(*) as orders, sum(price_cents) as revenue_cents, ${last} as last from orders
  where ${isSold({ isSummedUp: true })} group by 1
`;

/**
 * Both have `sum_of`, `orders`, `revenue_cents` and `last`.
 * @returns where they differ. A number of PostgreSQL may be a text.
 */
async function compare<Of extends number | string>(db: Db, sums: Sums, others: Sums): Promise<Of[]> {
  const { rows } = await sql<{ sum_of: Of }>`
    select sum_of from (
      ${sums} union all select sum_of, -orders, -revenue_cents, -last from (${others}) as others
    ) as compared
    group by sum_of having sum(orders) <> 0 or sum(revenue_cents) <> 0 or sum(last) <> 0 order by sum_of
  `.execute(db);
  return rows.map(({ sum_of }) => sum_of);
}

/**
 * The month of an order is that of its id, whose time may be some milliseconds before the one that makes its day
 * (database/ids.ts). The engines compute months in different ways, so those that have orders are listed first. In a month that
 * begins meanwhile nothing is summed up yet.
 */
async function compareMonths(db: Db): Promise<string[]> {
  const ofMonths = sql`
    select month as sum_of, sum(orders) as orders, sum(revenue_cents) as revenue_cents, 0 as last
      from sales_books_by_month group by month
  `;
  const ofOrders = (await listMonths(db)).map(
    (month) => sql`
      select ${sql.lit(month)} as sum_of, count(*) as orders, coalesce(sum(price_cents), 0) as revenue_cents, 0 as last
      from orders
      where id >= ${firstIdAt(month * dayMs)} and id < ${firstIdAt(monthAfter(month) * dayMs)}
        and id < (select until_id from sales_progress) and withdrawn_at is null
    `,
  );
  const none = sql`select 0 as sum_of, 0 as orders, 0 as revenue_cents, 0 as last`;
  const sums = sql.join([none, ...ofOrders], sql` union all `);
  const months = await compare<number>(db, ofMonths, sums);
  return months.map((month) => `The sales of the month of ${dateOf(month)} differ from its orders.`);
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
