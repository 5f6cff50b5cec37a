/** The books for sale as sitemaps list them: in parts, each a range of `seq`, which no later addition moves. */

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/tables.ts';

/** How many values of `seq` a part has, and so how many books at most. The protocol allows 50,000. */
const booksPerPart = 5_000;
/** How many books a statement reads: between two of them the store does other work. */
const booksPerStatement = 1_000;

/**
 * Lists the numbers of the parts that have a book for sale, ascending from 0. Each costs one look at an index, however many
 * books it has: the query goes from the first book of a part to the first one after it.
 */
export async function listSitemapParts(db: Db): Promise<number[]> {
  // Written into the statement: SQLite divides a bound number as a fraction.
  const size = sql.lit(booksPerPart);
  const partOfFirstBook = (after: RawBuilder<unknown>) => sql`
    (select (seq - 1) / ${size} from books where removed_at is null and seq > ${after} order by seq limit 1)`;
  const parts = sql<{ part: number }>`
    select part from (
      with recursive parts(part) as (
        select ${partOfFirstBook(sql`0`)}
        union all
        select ${partOfFirstBook(sql`(part + 1) * ${size}`)} from parts where part is not null
      )
      select part from parts
    ) as parts where part is not null order by part`;
  return (await parts.execute(db)).rows.map(({ part }) => part);
}

export type BookOfSitemap = { seq: number; id: string; addedAt: number };

/** Reads the books for sale of a part, in the order of their addition, some at a time. */
export async function* readSitemapPart(db: Db, part: number): AsyncGenerator<readonly BookOfSitemap[]> {
  const last = (part + 1) * booksPerPart;
  let after = part * booksPerPart;
  while (after < last) {
    const books = await db
      .selectFrom('books')
      .select(['seq', 'id', 'added_at as addedAt'])
      .where('removed_at', 'is', null)
      .where('seq', '>', after)
      .where('seq', '<=', last)
      .orderBy('seq')
      .limit(booksPerStatement)
      .execute();
    yield books;
    if (books.length < booksPerStatement) return;
    after = books.at(-1)?.seq ?? last;
  }
}
