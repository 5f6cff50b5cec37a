/**
 * The orders of each book in the last months, which decide between equal matches. A search reads none of them from the database: the
 * best sellers up to yesterday stay in memory for a day, so that the pages of a search have one order on every node.
 */

import type { Db } from '../database/tables.ts';
import { dayMs, dayText } from '../database/times.ts';
import { noSales, type SoldCounts } from '../search/ranks.ts';
import { listBestSellers } from './sales.ts';

/** Before today. */
const countedDays = 90;
const maxBooks = 2_000;
const retryMs = 60_000;

/**
 * @param onError called when the database cannot be read; the counts stay those of the day before.
 * @returns a function that gives the counts at once, and reads those of a new day meanwhile.
 */
export function openSoldCounts(db: Db, onError: (error: unknown) => void): (now?: number) => SoldCounts {
  let counts = noSales;
  let nextReadAt = 0;
  return (now = Date.now()) => {
    if (now < nextReadAt) return counts;
    nextReadAt = (Math.floor(now / dayMs) + 1) * dayMs;
    readSoldCounts(db, now).then(
      (read) => {
        counts = read;
      },
      (error: unknown) => {
        nextReadAt = now + retryMs;
        onError(error);
      },
    );
    return counts;
  };
}

async function readSoldCounts(db: Db, now: number): Promise<SoldCounts> {
  const [from, to] = [dayText(now - countedDays * dayMs), dayText(now - dayMs)];
  const books = await listBestSellers(db, { from, to, limit: maxBooks }, { zone: 'UTC', now });
  return new Map(books.map(({ _id, orders }) => [_id, orders]));
}
