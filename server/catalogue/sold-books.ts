/** The sales of each book in all, of orders that were not withdrawn. */

import { sql } from 'kysely';
import type { BookSales, DeskBooksQuery } from '../../contract/desk/books.ts';
import { centsToAmount } from '../../contract/money.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';

const sortColumns = { sold: 'sold', revenue: 'cents', 'last-sale': 'last_sold_at' } as const;
type SalesSort = keyof typeof sortColumns;

export const isSalesSort = (sort: DeskBooksQuery['sort']): sort is SalesSort =>
  sort !== undefined && sort in sortColumns;

/** A table for a join: books of which none was sold are not in it. */
export const salesOf = (which = sql`true`) => sql`(
  select book_id as id, count(*) as sold, cast(sum(price_cents) as bigint) as cents, max(placed_at) as last_sold_at
  from orders where withdrawn_at is null and ${which} group by book_id
) as sales`;

export const salesValue = (sort: SalesSort) => sql`coalesce(sales.${sql.ref(sortColumns[sort])}, 0)`;

const noSales: BookSales = { sold: 0, revenue: 0, lastSoldAt: null };

export async function findSalesOf(db: Db, ids: readonly string[]): Promise<(id: string) => BookSales> {
  const { rows } = await sql<{ id: string; sold: number; cents: number; last_sold_at: number }>`
    select * from ${salesOf(sql`book_id in (${sql.join(ids)})`)}
  `.execute(db);
  const sales = new Map(
    rows.map(({ id, sold, cents, last_sold_at }) => [
      id,
      { sold, revenue: centsToAmount(cents), lastSoldAt: timeText(last_sold_at) },
    ]),
  );
  return (id) => sales.get(id) ?? noSales;
}
