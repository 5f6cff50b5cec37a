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

/** The number of covers in a row: more than a screen shows, so the row scrolls. */
const maxInRow = 12;
const minInRow = 6;
/** More than a row has, because some best sellers may be deleted or sold out. */
const maxBestSellers = 48;
const newOnTable = 5;
/** How many of the newest books are searched for some with a picture. */
const maxSearchedForPicture = 200;
const newForMs = 7 * dayMs;

/** The lifetime of the best sellers, and so of the whole response. */
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
  // Exact days do not matter here, so the thirty days are days of UTC.
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
    // If the owner has chosen no books, the table already shows new books.
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
