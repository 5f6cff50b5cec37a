/** The sales of each book in all, of orders that were not withdrawn. */

import { type RawBuilder, sql } from 'kysely';
import type { BookSales, DeskBooksQuery } from '../../contract/desk/books.ts';
import { centsToAmount } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { fieldProblem } from '../http/problems.ts';

const sortColumns = { sold: 'sold', revenue: 'cents', 'last-sale': 'last_sold_at' } as const;
export type SalesSort = keyof typeof sortColumns;

export const isSalesSort = (sort: DeskBooksQuery['sort']): sort is SalesSort =>
  sort !== undefined && sort in sortColumns;

const salesOf = (which = sql`true`) => sql`(
  select book_id as id, count(*) as sold, cast(sum(price_cents) as bigint) as cents, max(placed_at) as last_sold_at
  from orders where withdrawn_at is null and ${which} group by book_id
) as sales`;

const noSales: BookSales = { sold: 0, revenue: 0, lastSoldAt: null };

export async function findSalesOf(db: Db, ids: readonly string[]): Promise<(id: string) => BookSales> {
  const { rows } = await sql<{ id: string; sold: number; cents: number; last_sold_at: number }>`
    select * from ${salesOf(sql`book_id in (${sql.join(ids)})`)}
  `.execute(db);
  const sales = new Map(
    rows.map(({ id, sold, cents, last_sold_at }) => [
      id,
      {
        sold: Number(sold),
        revenue: centsToAmount(Number(cents)),
        lastSoldAt: timeText(Number(last_sold_at)),
      },
    ]),
  );
  return (id) => sales.get(id) ?? noSales;
}

const afterNewest = 999_999_999_999_999;
const maxRead = 5_000;

type Page = { found: { id: string }[]; nextCursor: string | undefined };

/** The most or the last sold first, and after them, newest first, those of which nothing was. */
export async function listBySales(
  db: Db,
  isListed: RawBuilder<boolean>,
  { sort, limit = maxPageSize, cursor }: Pick<DeskBooksQuery, 'limit' | 'cursor'> & { sort: SalesSort },
): Promise<Page> {
  const unsold = /^unsold\.(\d{1,15})$/.exec(cursor ?? '');
  if (unsold) return await listUnsold(db, isListed, limit, Number(unsold[1]));
  const place = /^(?<value>\d{1,15})\.(?<id>[\w~-]{1,64})$/.exec(cursor ?? `${afterNewest}.~`)?.groups;
  if (!place) throw fieldProblem('cursor', 'Take it from the Link header of a page.');
  const column = sql.ref(sortColumns[sort]);
  const after = sql`(cast(${Number(place['value'])} as bigint), ${place['id']})`;
  const { rows } = await sql<{ id: string; value: number }>`
    select sales.id, ${column} as value from ${salesOf()} join books on books.id = sales.id
    where (${column}, sales.id) < ${after} and ${isListed}
    order by ${column} desc, sales.id desc limit ${limit + 1}
  `.execute(db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > limit && last) return { found: page, nextCursor: `${last.value}.${last.id}` };
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
    select id, seq, exists (
      select 1 from orders where book_id = read.id and withdrawn_at is null
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
