import { type RawBuilder, sql } from 'kysely';
import { collectFaults, type Finding } from '../database/findings.ts';
import type { Db } from '../database/tables.ts';
import { manyCopies } from './copies.ts';

/** Compares the copies with the orders that they name, and with what the shop shows of them. Each comparison is one statement. */
export async function checkCopies(db: Db): Promise<Finding> {
  const faults = collectFaults();
  const report = async (rows: RawBuilder<{ id: string }>, sentence: (id: string) => string) =>
    faults.add(...(await rows.execute(db)).rows.map(({ id }) => sentence(id)));
  await report(
    sql`
      select order_id as id from copies where order_id is not null
        and not exists (select 1 from orders where orders.id = copies.order_id and orders.book_id = copies.book_id)
      order by order_id
    `,
    (id) => `A copy is taken by the order ${id}, which has not bought its book.`,
  );
  await report(
    sql`
      select id from books where copies_left is not null and copies_left <> (
        select count(*) from (
          select 1 from copies where book_id = books.id and order_id is null limit ${sql.lit(manyCopies)}
        ) as free
      ) order by id
    `,
    (id) => `The book ${id} has another number of copies than the shop shows.`,
  );
  await report(
    sql`
      select id from books
      where (sold_out_at is not null and (removed_at is null or coalesce(copies_left, 1) > 0))
        or (removed_at is null and copies_left = 0)
      order by id
    `,
    (id) => `The book ${id} is sold out on the shelf, or off it with copies.`,
  );
  const { rows } = await sql<{ count: number; sold: number }>`
    select count(*) as count, count(order_id) as sold from copies
  `.execute(db);
  const [all, sold] = [rows[0]?.count, rows[0]?.sold].map((number) => Number(number).toLocaleString('en-GB'));
  return faults.finding('copies', `${all}, of which ${sold} are sold`);
}
