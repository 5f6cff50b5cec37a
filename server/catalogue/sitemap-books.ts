/** The books for sale as sitemaps list them: in parts, each a range of `seq`, which no later addition moves. */

import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';

/** How many values of `seq` a part has, and so how many books at most. The protocol allows 50,000. */
const booksPerPart = 5_000;

export async function listSitemapParts(db: Db): Promise<number[]> {
  // The number is written into the statement: SQLite divides a bound number as a fraction.
  const { rows } = await sql<{ part: number }>`
    select distinct (seq - 1) / ${sql.lit(booksPerPart)} as part from books where removed_at is null order by part
  `.execute(db);
  return rows.map(({ part }) => part);
}

export type BookOfSitemap = { id: string; author: string; series: string | null; addedAt: number };

export const readSitemapPart = (db: Db, part: number): Promise<BookOfSitemap[]> =>
  db
    .selectFrom('books')
    .select(['id', 'author', 'series', 'added_at as addedAt'])
    .where('removed_at', 'is', null)
    .where('seq', '>', part * booksPerPart)
    .where('seq', '<=', (part + 1) * booksPerPart)
    .orderBy('seq')
    .execute();
