import { sql } from 'kysely';
import { collectFaults, type Finding } from '../database/findings.ts';
import type { Db } from '../database/tables.ts';
import { manyCopies } from './copies.ts';

/** Compares the stock of the books with what the shop shows of it. */
export async function checkCopies(db: Db): Promise<Finding> {
  const faults = collectFaults();
  const { rows: wrong } = await sql<{ id: string }>`
    select id from books left join stock on book_id = id
    where copies_left is distinct from case when "left" > ${sql.lit(manyCopies)} then ${sql.lit(manyCopies)} else "left" end
      or (sold_out_at is not null and (removed_at is null or coalesce(copies_left, 1) > 0))
      or (removed_at is null and copies_left = 0)
    order by id
  `.execute(db);
  faults.add(...wrong.map(({ id }) => `The book ${id} is not on the shelf as its stock says.`));
  const { rows } = await sql<{ left: number; sold: number }>`
    select (select coalesce(sum("left"), 0) from stock) as "left", (select count(has_copy) from orders) as sold
  `.execute(db);
  const [left, sold] = [Number(rows[0]?.left), Number(rows[0]?.sold)];
  const [all, taken] = [left + sold, sold].map((number) => number.toLocaleString('en-GB'));
  return faults.finding('copies', `${all}, ${taken} of them sold`);
}
