import { type Selection, type SelectQueryBuilder, sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Book, SortOrder } from '../../contract/book.ts';
import { centsToAmount } from '../../contract/money.ts';
import { batchedQuery } from '../database/batched-query.ts';
import { planEachTime, searchPlan } from '../database/engine-differences.ts';
import type { Db, Tables } from '../database/tables.ts';
import { foldText, searchTextOf } from './search-text.ts';

/** The columns that queries read. The type, the queries and the insert derive from them. */
export const bookColumns = ['books.id', 'title', 'author', 'image', 'price_cents as priceCents'] as const;

/** A book for sale: `id`, `title`, `author`, `image` (an address), `priceCents` (integer cents). */
export type BookForSale = Selection<Tables, 'books', (typeof bookColumns)[number]>;

/** A book before it has an id. A column that may be null may be left out. */
export type BookDetails = Omit<BookForSale, 'id' | NullableOf<BookForSale>> &
  Partial<Pick<BookForSale, NullableOf<BookForSale>>>;
type NullableOf<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** Which books a page lists, and in which order. */
export type BookListQuery = {
  sort: SortOrder;
  /** How many books at most. */
  limit: number;
  /** From {@link searchPatterns}; empty for all books. */
  patterns: readonly string[];
  /** The last book of the page before; undefined for the first page. */
  after: BookPosition | undefined;
};

/** The sort keys of a book: its place in each order of the list. */
export type BookPosition = { seq: number; titleSort: string; priceCents: number };

/** @returns the book as the API shows it (spec section 3), its price as an amount such as 12.99. */
export const presentBook = ({ id, priceCents, ...book }: BookForSale): Book => ({
  _id: id,
  ...book,
  price: { value: centsToAmount(priceCents) },
});

/** Lists books for sale. @returns the page and, when more books follow, the id to pass as the next page's cursor. */
export async function listBooks(
  db: Db,
  query: BookListQuery,
): Promise<{ books: BookForSale[]; nextCursor: string | undefined }> {
  const { limit } = query;
  const found = await (await booksMatching(db, query)).limit(limit + 1).execute();
  const books = found.slice(0, limit);
  return { books, nextCursor: found.length > limit ? books.at(-1)?.id : undefined };
}

async function booksMatching(db: Db, { sort, patterns, after }: BookListQuery) {
  const forSale = db.selectFrom('books').select(bookColumns).where('removed_at', 'is', null);
  if (patterns.length === 0) return inOrder(forSale, sort, after);

  const phrases = patterns.map((pattern) => `"${pattern}"`).join(' ');
  if ((await searchPlan(db, phrases, sort === 'newest')) === 'filter') {
    const matching = patterns.reduce(
      (books, pattern) => books.where('books.search_text', 'like', `%${pattern}%`),
      forSale,
    );
    return inOrder(matching, sort, after).modifyEnd(planEachTime);
  }
  const found = forSale
    .innerJoin('books_search', (join) => join.on('books.seq', '=', sql<number>`-books_search.rowid`))
    .where(sql<boolean>`books_search match ${phrases}`);
  if (sort !== 'newest') return inOrder(found, sort, after);
  // Ordered by the index's own number, SQLite returns matches as it finds them; any other order sorts all of them first.
  const newest = found.orderBy('books_search.rowid');
  return after ? newest.where('books_search.rowid', '>', -after.seq) : newest;
}

function inOrder<Books extends SelectQueryBuilder<Tables, 'books', BookForSale>>(
  books: Books,
  sort: SortOrder,
  after: BookPosition | undefined,
) {
  if (sort === 'newest') {
    const newest = books.orderBy('books.seq', 'desc');
    return after ? newest.where('books.seq', '<', after.seq) : newest;
  }
  const [column, value] =
    sort === 'title'
      ? (['title_sort', after?.titleSort] as const)
      : (['price_cents', after?.priceCents] as const);
  const sorted = books.orderBy(column).orderBy('books.seq');
  return after
    ? sorted.where(({ eb, refTuple, tuple }) =>
        eb(refTuple(column, 'books.seq'), '>', tuple(value ?? '', after.seq)),
      )
    : sorted;
}

/** Finds the position of a book, also of a removed one: the next page continues where that book was. */
export const findPosition = (db: Db, id: string): Promise<BookPosition | undefined> =>
  db
    .selectFrom('books')
    .select(['seq', 'title_sort as titleSort', 'price_cents as priceCents'])
    .where('id', '=', id)
    .executeTakeFirst();

const bookForSale = batchedQuery({
  columns: { id: 'text' },
  key: 'id',
  build: (db, items) =>
    db
      .selectFrom(items)
      .innerJoin('books', 'books.id', 'item.id')
      .select(bookColumns)
      .where('removed_at', 'is', null),
});

/** Finds a book for sale. Simultaneous calls share one query. @returns undefined for a removed book and for none. */
export const findBook = (db: Db, id: string): Promise<BookForSale | undefined> => bookForSale(db, { id });

/** Finds the books for sale of exactly this title and author, newest first. */
export const findBooksTitled = (
  db: Db,
  { title, author }: { title: string; author: string },
): Promise<BookForSale[]> =>
  db
    .selectFrom('books')
    .select(bookColumns)
    .where('title', '=', title)
    .where('author', '=', author)
    .where('removed_at', 'is', null)
    .orderBy('seq', 'desc')
    .execute();

/** Whether the catalogue has ever had a book, removed ones included. */
export const hasAnyBook = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('books').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Adds a book under a new id, as the newest. @param addedBy the customer's id, or null for the demo catalogue. */
export async function addBook(db: Db, details: BookDetails, addedBy: string | null): Promise<BookForSale> {
  const { priceCents, ...columns } = details;
  return await db
    .insertInto('books')
    .values({
      ...columns,
      id: newId(),
      price_cents: priceCents,
      search_text: searchTextOf(details),
      title_sort: foldText(details.title),
      added_at: Date.now(),
      added_by: addedBy,
      removed_at: null,
      removed_by: null,
    })
    .returning(bookColumns)
    .executeTakeFirstOrThrow();
}

/**
 * Takes a book off sale. Its row stays, with the time and the customer of the first removal.
 * @returns whether there ever was such a book.
 */
export async function removeBook(db: Db, id: string, removedBy: string): Promise<boolean> {
  const removed = await db
    .updateTable('books')
    .set({ removed_at: Date.now(), removed_by: removedBy })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined || (await findPosition(db, id)) !== undefined;
}

/** Undoes {@link removeBook}. @returns the book, or undefined when there never was one. */
export async function restoreBook(db: Db, id: string): Promise<BookForSale | undefined> {
  return await db
    .updateTable('books')
    .set({ removed_at: null, removed_by: null })
    .where('id', '=', id)
    .returning(bookColumns)
    .executeTakeFirst();
}
