import { type ExpressionBuilder, sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Book, SortOrder } from '../../contract/book.ts';
import type { Db, Tables } from '../database/tables.ts';
import { centsToAmount } from '../money.ts';
import { foldText, searchTextOf } from './search-text.ts';

/** A book for sale. Ids are UUIDs of version 7: their order is the order in which books were added. */
export type ShelvedBook = { id: string; title: string; author: string; image: string; priceCents: number };

export type NewBook = Omit<ShelvedBook, 'id'>;

/** What a page of the shelf shows, and after which book it starts. */
export type ShelfQuery = {
  sort: SortOrder;
  limit: number;
  words: readonly string[];
  after: BookPosition | undefined;
};

/** Where a book stands in each order of the shelf. */
export type BookPosition = { id: string; titleSort: string; priceCents: number };

const bookColumns = ['id', 'title', 'author', 'image', 'price_cents as priceCents'] as const;

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
  { sort, limit, words, after }: ShelfQuery,
): Promise<{ books: ShelvedBook[]; nextCursor: string | undefined }> {
  let query = db
    .selectFrom('books')
    .select(bookColumns)
    .where('removed_at', 'is', null)
    .limit(limit + 1);
  for (const word of words) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(sql<boolean>`search_text like ${pattern} escape '\\'`);
  }
  if (after) query = query.where((expression) => followsInOrder(expression, sort, after));
  if (sort === 'title') query = query.orderBy('title_sort').orderBy('id');
  else if (sort === 'price') query = query.orderBy('price_cents').orderBy('id');
  else query = query.orderBy('id', 'desc');

  const found = await query.execute();
  const books = found.slice(0, limit);
  return { books, nextCursor: found.length > limit ? books.at(-1)?.id : undefined };
}

function followsInOrder(
  { eb, refTuple, tuple }: ExpressionBuilder<Tables, 'books'>,
  sort: SortOrder,
  { id, titleSort, priceCents }: BookPosition,
) {
  if (sort === 'title') return eb(refTuple('title_sort', 'id'), '>', tuple(titleSort, id));
  if (sort === 'price') return eb(refTuple('price_cents', 'id'), '>', tuple(priceCents, id));
  return eb('id', '<', id);
}

/** Also of a book that has been removed: a page goes on where it would have stood. */
export const findPosition = (db: Db, id: string): Promise<BookPosition | undefined> =>
  db
    .selectFrom('books')
    .select(['id', 'title_sort as titleSort', 'price_cents as priceCents'])
    .where('id', '=', id)
    .executeTakeFirst();

export const findBook = (db: Db, id: string): Promise<ShelvedBook | undefined> =>
  db
    .selectFrom('books')
    .select(bookColumns)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

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
    .orderBy('id', 'desc')
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
