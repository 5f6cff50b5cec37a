/** The part of the home screen above its list. */
import { sql } from 'kysely';
import { minInRow } from '../../contract/front-limits.ts';
import { centsToAmount } from '../../contract/money.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import type { Front } from '../../contract/shop-front.ts';
import { subjectsOf } from '../../contract/subjects.ts';
import { apart } from '../catalogue/apart.ts';
import { listedColumns } from '../catalogue/book-columns.ts';
import { listBooks } from '../catalogue/book-list.ts';
import { booksForSale, findForSale, type ListedBookForSale, presentBook } from '../catalogue/books.ts';
import { countRows } from '../database/row-pages.ts';
import type { Db } from '../database/tables.ts';
import { dayMs } from '../database/times.ts';
import { listBestSellers } from '../orders/sales.ts';
import { subjectPattern, subjectWord } from '../search/search-text.ts';
import { cachedFor } from './cached-value.ts';
import { findFrontWords, findTableBooks } from './front-table.ts';

/** The number of covers in a row: more than a screen shows, so the row scrolls. */
const maxInRow = 12;
const maxSubjectRows = 3;
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

/** The rows below the table. No book is in two rows, nor in a row and on the table. */
async function findRows(db: Db, listDb: Db, parts: RowParts): Promise<Front['rows']> {
  const seen = new Set(parts.onTable.map(({ id }) => id));
  const rows: Front['rows'] = [];
  const add = (row: Omit<Front['rows'][number], 'books'>, found: readonly ListedBookForSale[]) => {
    const books = found.filter(({ id }) => !seen.has(id)).slice(0, maxInRow);
    if (books.length < minInRow) return;
    for (const { id } of books) seen.add(id);
    rows.push({ ...row, books: apart(books).map(presentBook) });
  };
  for (const subject of parts.subjects) {
    if (rows.length === maxSubjectRows) break;
    const patterns = [subjectPattern(subject)];
    const found = await listBooks(listDb, { sort: 'newest', limit: maxPageSize, patterns });
    const { books, nextCursor } = found;
    add({ heading: subject, subject, ...(!nextCursor && { count: books.length }) }, books);
  }
  if (rows.length === 0) {
    const added = newest(db, maxInRow + seen.size).where('added_at', '>=', parts.now - newForMs);
    add({ heading: 'New this week' }, await added.orderBy('seq', 'desc').execute());
  }
  add({ heading: 'Most bought this month' }, await findForSale(db, parts.soldIds));
  return rows;
}

type RowParts = {
  onTable: readonly ListedBookForSale[];
  subjects: readonly string[];
  soldIds: readonly string[];
  now: number;
};

/** @param listDb the handle for the subjects and the best sellers, which take longer. */
export function openFront({ db, listDb }: { db: Db; listDb: Db }): (now?: number) => Promise<Front> {
  // Exact days do not matter here, so the thirty days are days of UTC.
  const bestSellers = cachedFor(frontLifetimeMs, () =>
    listBestSellers(listDb, { limit: maxBestSellers }, { zone: 'UTC' }),
  );
  return async (now = Date.now()) => {
    const [chosen, { heading, words }, sold, bookCount, prices, subjects] = await Promise.all([
      findTableBooks(db),
      findFrontWords(db),
      bestSellers(),
      countRows(listDb, booksForSale(listDb).select('seq')),
      findPrices(db),
      listSubjects(db),
    ]);
    const onTable = chosen.length > 0 ? chosen : await findNewOnTable(db);
    const soldIds = sold.map(({ _id }) => _id);
    return {
      table: {
        heading: heading || (chosen.length > 0 ? 'Chosen by the bookseller' : 'New on the shelf'),
        words,
        books: onTable.map(presentBook),
      },
      rows: await findRows(db, listDb, { onTable, subjects, soldIds, now }),
      bookCount,
      ...(prices && { prices }),
      subjects,
    };
  };
}

const maxSubjects = 12;
/** How many of the newest books with keywords are searched for subjects. */
const maxBooks = 2_000;
/** How many of the newest books are read at most: an import of fewer books without keywords hides no subjects. */
const maxRead = 20_000;

/** The subjects of the shop, by which the home screen narrows its list. */
async function listSubjects(db: Db): Promise<string[]> {
  const newest = booksForSale(db).select(['seq', 'keywords']).orderBy('seq', 'desc').limit(maxRead);
  const books = await db
    .selectFrom(newest.as('newest'))
    .select('keywords')
    .where('keywords', '!=', '')
    .orderBy('seq', 'desc')
    .limit(maxBooks)
    .execute();
  const spellings = new Map<string, number>();
  for (const subject of books.flatMap(({ keywords }) => subjectsOf(keywords)))
    spellings.set(subject, (spellings.get(subject) ?? 0) + 1);
  // A subject has the spelling of the newest book.
  const subjects = new Map<string, { subject: string; count: number }>();
  for (const [subject, count] of spellings) {
    const word = subjectWord(subject);
    const known = subjects.get(word);
    if (known) known.count += count;
    else subjects.set(word, { subject, count });
  }
  return [...subjects.values()]
    .filter(({ count }) => count > 1)
    .sort((one, other) => other.count - one.count || (one.subject < other.subject ? -1 : 1))
    .slice(0, maxSubjects)
    .map(({ subject }) => subject);
}
