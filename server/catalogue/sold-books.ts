/** The sales of each book in all: the sums of finished hours (orders/sales-sums.ts), and the later orders. */

import { type RawBuilder, sql } from 'kysely';
import type { BookSales, DeskBooksQuery } from '../../contract/desk/books.ts';
import { centsToAmount } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import type { Db } from '../database/tables.ts';
import { timeOrNull } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';
import { isSold } from '../orders/sales-sums.ts';

/** The columns of the sums by which books are sorted; each has an index. */
const sortColumns = { sold: 'orders', revenue: 'revenue_cents', 'last-sale': 'last_sold_at' } as const;
export type SalesSort = keyof typeof sortColumns;

export const isSalesSort = (sort: DeskBooksQuery['sort']): sort is SalesSort =>
  sort !== undefined && sort in sortColumns;

/** The orders that are not in the sums yet, by their book. */
const later = sql`
  select book_id, count(*) as orders, sum(price_cents) as revenue_cents, max(placed_at) as last_sold_at
  from orders where ${isSold({ isSummedUp: false })}
`;

const noSales: BookSales = { sold: 0, revenue: 0, lastSoldAt: null };

/** @returns a function that has the sales of each of these books. */
export async function findSalesOf(db: Db, ids: readonly string[]): Promise<(id: string) => BookSales> {
  const { rows } = await sql<{ id: string; sold: number; cents: number; at: number | null }>`
    select book_id as id, cast(sum(orders) as bigint) as sold, cast(sum(revenue_cents) as bigint) as cents,
      max(case when orders > 0 then last_sold_at end) as at
    from (
      select book_id, orders, revenue_cents, last_sold_at from sales_books where book_id in (${sql.join(ids)})
      union all ${later} and book_id in (${sql.join(ids)}) group by 1
    ) as sales group by 1
  `.execute(db);
  const sales = new Map(
    rows.map(({ id, sold, cents, at }) => [
      id,
      {
        sold: Number(sold),
        revenue: centsToAmount(Number(cents)),
        lastSoldAt: timeOrNull(at === null ? null : Number(at)),
      },
    ]),
  );
  return (id) => sales.get(id) ?? noSales;
}

/** A number above any figure and any place in the catalogue. */
const afterNewest = 999_999_999_999_999;
/** The most books that a page reads to find unsold ones. */
const maxRead = 5_000;

type Page = { found: { id: string }[]; nextCursor: string | undefined };

/**
 * Lists books by what was sold of them, the most or the last first, and after them, newest first, those of which nothing was.
 * @param isListed the condition that a book is in the list.
 * @throws {Problem} VALIDATION_FAILED for a cursor that no page has given out.
 */
export async function listBySales(
  db: Db,
  isListed: RawBuilder<boolean>,
  { sort, limit = maxPageSize, cursor }: Pick<DeskBooksQuery, 'limit' | 'cursor'> & { sort: SalesSort },
): Promise<Page> {
  const unsold = /^unsold\.(\d{1,15})$/.exec(cursor ?? '');
  if (unsold) return await listUnsold(db, isListed, limit, Number(unsold[1]));
  const place = /^(?<value>\d{1,15})\.(?<id>[\w~-]{1,64})$/.exec(cursor ?? `${afterNewest}.~`)?.groups;
  if (!place) {
    throw fieldProblem('cursor', 'Take it from the Link header of a page.');
  }
  const column = sql.ref(sortColumns[sort]);
  const after = sql`(cast(${Number(place['value'])} as bigint), ${place['id']})`;
  const { rows } = await sql<{ id: string; value: number }>`
    with later as materialized (${later} group by 1)
    select book_id as id, value from (
      select * from (
        select book_id, cast(${column} as bigint) as value from sales_books
        where orders > 0 and (${column}, book_id) < ${after}
          and not exists (select 1 from later where later.book_id = sales_books.book_id)
          and exists (select 1 from books where books.id = sales_books.book_id and ${isListed})
        order by ${column} desc, book_id desc limit ${limit + 1}
      ) as summed
      union all
      select * from (
        select later.book_id, cast(${
          sort === 'last-sale'
            ? sql`later.last_sold_at`
            : sql`later.${column} + coalesce(summed.${column}, 0)`
        } as bigint) as value
        from later left join sales_books as summed on summed.book_id = later.book_id
        where exists (select 1 from books where books.id = later.book_id and ${isListed})
      ) as recent where (value, book_id) < ${after}
    ) as sold order by value desc, book_id desc limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > limit && last) {
    return { found: page, nextCursor: `${last.value}.${last.id}` };
  }
  const rest = await listUnsold(db, isListed, limit - page.length, afterNewest);
  return { found: [...page, ...rest.found], nextCursor: rest.nextCursor };
}

/** @param before the place in the catalogue: the books from it on are older. */
async function listUnsold(
  db: Db,
  isListed: RawBuilder<boolean>,
  limit: number,
  before: number,
): Promise<Page> {
  const { rows } = await sql<{ id: string; seq: number; isSold: number | boolean }>`
    with later as materialized (${later} group by 1)
    select id, seq, (
      exists (select 1 from sales_books where book_id = read.id and orders > 0)
      or id in (select book_id from later)
    ) as "isSold"
    from (
      select id, seq from books where seq < ${before} and ${isListed} order by seq desc limit ${sql.lit(maxRead)}
    ) as read
  `.execute(db);
  const found = rows.filter((row) => !row.isSold);
  const page = found.slice(0, limit);
  const last = found.length > limit ? (page.at(-1) ?? { seq: before }) : rows[maxRead - 1];
  return { found: page, nextCursor: last && `unsold.${last.seq}` };
}
