import { type SelectQueryBuilder, sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Book, SortOrder } from '../../contract/book.ts';
import { batchedQuery } from '../database/batched-query.ts';
import { searchPlan } from '../database/engine-differences.ts';
import type { Db, Tables } from '../database/tables.ts';
import { centsToAmount } from '../money.ts';
import { foldText, searchTextOf } from './search-text.ts';

/** A book for sale. */
export type ShelvedBook = { id: string; title: string; author: string; image: string; priceCents: number };

export type NewBook = Omit<ShelvedBook, 'id'>;

/** What a page of the shelf shows, and after which book it starts. */
export type ShelfQuery = {
  sort: SortOrder;
  limit: number;
  /** From {@link searchPatterns}. */
  patterns: readonly string[];
  after: BookPosition | undefined;
};

/** Where a book stands in each order of the shelf. */
export type BookPosition = { seq: number; titleSort: string; priceCents: number };

const bookColumns = ['books.id', 'title', 'author', 'image', 'price_cents as priceCents'] as const;

export const presentBook = ({ id, title, author, image, priceCents }: ShelvedBook): Book => ({
  _id: id,
  title,
  author,
  image,
  price: { value: centsToAmount(priceCents) },
});

/** @returns the page and, when more books follow, the id to pass as the next page's cursor. */
export async function listBooks(
  db: Db,
  query: ShelfQuery,
): Promise<{ books: ShelvedBook[]; nextCursor: string | undefined }> {
  const { limit } = query;
  const found = await (await booksMatching(db, query)).limit(limit + 1).execute();
  const books = found.slice(0, limit);
  return { books, nextCursor: found.length > limit ? books.at(-1)?.id : undefined };
}

async function booksMatching(db: Db, { sort, patterns, after }: ShelfQuery) {
  const forSale = db.selectFrom('books').select(bookColumns).where('removed_at', 'is', null);
  if (patterns.length === 0) return inOrder(forSale, sort, after);

  const phrases = patterns.map((pattern) => `"${pattern}"`).join(' ');
  if ((await searchPlan(db, phrases, sort === 'newest')) === 'filter') {
    const matching = patterns.reduce(
      (books, pattern) => books.where('books.search_text', 'like', `%${pattern}%`),
      forSale,
    );
    return inOrder(matching, sort, after);
  }
  const found = forSale
    .innerJoin('books_search', (join) => join.on('books.seq', '=', sql<number>`-books_search.rowid`))
    .where(sql<boolean>`books_search match ${phrases}`);
  if (sort !== 'newest') return inOrder(found, sort, after);
  // By the index's own number, so that SQLite takes its finds as they come instead of sorting them all.
  const newest = found.orderBy('books_search.rowid');
  return after ? newest.where('books_search.rowid', '>', -after.seq) : newest;
}

function inOrder<Books extends SelectQueryBuilder<Tables, 'books', ShelvedBook>>(
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

/** Also of a book that has been removed: a page goes on where it would have stood. */
export const findPosition = (db: Db, id: string): Promise<BookPosition | undefined> =>
  db
    .selectFrom('books')
    .select(['seq', 'title_sort as titleSort', 'price_cents as priceCents'])
    .where('id', '=', id)
    .executeTakeFirst();

const bookForSale = batchedQuery<{ id: string }, ShelvedBook>({
  columns: { id: 'text' },
  key: 'id',
  build: (db, items) =>
    db
      .selectFrom(items)
      .innerJoin('books', 'books.id', 'item.id')
      .select(bookColumns)
      .where('removed_at', 'is', null),
});

export const findBook = (db: Db, id: string): Promise<ShelvedBook | undefined> => bookForSale(db, { id });

/** The books for sale of exactly this title and author, newest first. */
export const findBooksTitled = (
  db: Db,
  { title, author }: { title: string; author: string },
): Promise<ShelvedBook[]> =>
  db
    .selectFrom('books')
    .select(bookColumns)
    .where('title', '=', title)
    .where('author', '=', author)
    .where('removed_at', 'is', null)
    .orderBy('seq', 'desc')
    .execute();

export const hasAnyBook = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('books').select('id').limit(1).executeTakeFirst()) !== undefined;

/** @param addedBy the customer's id, or null for the demo catalogue. */
export async function addBook(db: Db, book: NewBook, addedBy: string | null): Promise<ShelvedBook> {
  const added = { ...book, id: newId() };
  await db
    .insertInto('books')
    .values({
      id: added.id,
      title: book.title,
      author: book.author,
      image: book.image,
      price_cents: book.priceCents,
      search_text: searchTextOf(book),
      title_sort: foldText(book.title),
      added_at: Date.now(),
      added_by: addedBy,
      removed_at: null,
      removed_by: null,
    })
    .execute();
  return added;
}

/**
 * Takes a book off the shelf and keeps its row, with who and when; what was removed before stays as it was.
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
export async function restoreBook(db: Db, id: string): Promise<ShelvedBook | undefined> {
  return await db
    .updateTable('books')
    .set({ removed_at: null, removed_by: null })
    .where('id', '=', id)
    .returning(bookColumns)
    .executeTakeFirst();
}
