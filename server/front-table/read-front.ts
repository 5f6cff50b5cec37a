/** The part of the home screen above its list. */

import { sql } from 'kysely';
import { centsToAmount } from '../../contract/money.ts';
import type { Front } from '../../contract/shop-front.ts';
import { listedColumns } from '../catalogue/book-columns.ts';
import {
  booksForSale,
  countBooks,
  findForSale,
  type ListedBookForSale,
  presentBook,
} from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { listBestSellers } from '../orders/sales.ts';
import { cachedFor } from './cached-value.ts';
import { findFrontWords, findTableBooks } from './front-table.ts';
import { listSubjects } from './subjects.ts';

/** A screen has room for so many covers of a row; the others are scrolled to. */
const maxInRow = 12;
const minInRow = 6;
/** More than a row has: a part of the best sellers may be deleted or sold out. */
const maxBestSellers = 48;
const newOnTable = 5;
/** The newest books among which those with a picture are looked for. */
const maxSearchedForPicture = 200;
const newForMs = 7 * dayMs;

/** The lifetime of the best sellers, and so of the response. */
export const frontLifetimeMs = 5 * 60 * 1000;

const newest = (db: Db, limit: number) =>
  db
    .selectFrom('books')
    .select(listedColumns)
    .where('seq', 'in', booksForSale(db).select('seq').orderBy('seq', 'desc').limit(limit));

const findNewOnTable = (db: Db): Promise<ListedBookForSale[]> =>
  newest(db, maxSearchedForPicture)
    .orderBy(sql`case when image = '' then 1 else 0 end`)
    .orderBy('seq', 'desc')
    .limit(newOnTable)
    .execute();

const findAddedSince = (db: Db, since: number): Promise<ListedBookForSale[]> =>
  newest(db, maxInRow + newOnTable)
    .where('added_at', '>=', since)
    .orderBy('seq', 'desc')
    .execute();

async function findPrices(db: Db): Promise<Front['prices']> {
  const [lowest, highest] = await Promise.all(
    (['asc', 'desc'] as const).map((direction) =>
      booksForSale(db).select('price_cents').orderBy('price_cents', direction).limit(1).executeTakeFirst(),
    ),
  );
  return lowest && highest
    ? { lowest: centsToAmount(lowest.price_cents), highest: centsToAmount(highest.price_cents) }
    : undefined;
}

const rowOf = (books: readonly ListedBookForSale[]) =>
  books.length < minInRow ? [] : books.slice(0, maxInRow).map(presentBook);

/** @param listDb the handle for the best sellers, which take longer. */
export function openFront({ db, listDb }: { db: Db; listDb: Db }): (now?: number) => Promise<Front> {
  // Thirty days may begin and end in any zone.
  const bestSellers = cachedFor(frontLifetimeMs, () =>
    listBestSellers(listDb, { limit: maxBestSellers }, { zone: 'UTC' }),
  );
  return async (now = Date.now()) => {
    const [chosen, { heading, words }, sold, added, bookCount, prices, subjects] = await Promise.all([
      findTableBooks(db),
      findFrontWords(db),
      bestSellers(),
      findAddedSince(db, now - newForMs),
      countBooks(listDb, booksForSale(listDb).select('seq')),
      findPrices(db),
      listSubjects(db),
    ]);
    const onTable = chosen.length > 0 ? chosen : await findNewOnTable(db);
    const soldIds = sold.map(({ _id }) => _id);
    // New books are on the table already when none is chosen.
    const shown = new Set(chosen.length > 0 ? [] : onTable.map(({ id }) => id));
    return {
      table: {
        heading: heading || (chosen.length > 0 ? 'Chosen by the bookseller' : 'New on the shelf'),
        words,
        books: onTable.map(presentBook),
      },
      newThisWeek: rowOf(added.filter(({ id }) => !shown.has(id))),
      mostBought: rowOf(await findForSale(db, soldIds)),
      bookCount,
      ...(prices && { prices }),
      subjects,
    };
  };
}
