/**
 * The copies of a book that the shop has a number of (docs/decisions/0066). `stock` has how many can be sold, and an order remembers
 * that it took one, so that it gives it back once.
 *
 * The row of the book has the part that the shop shows: `copies_left`, and its place on the shelf. A change of that row gives the
 * catalogue another version, so it counts no further than 4: only the last sales of a book change what a page says. The row of the
 * book is locked before each change of its stock.
 */

import { maxCopies } from '../../contract/book-fields.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { type BookMoves, countWords } from '../search/words.ts';
import { searchedColumns } from './book-columns.ts';

/** `books.copies_left` of a book with so many copies, or more. */
export const manyCopies = 4;

export const stockColumns = [
  'books.id',
  'removed_at as removedAt',
  'sold_out_at as soldOutAt',
  'copies_left as copiesLeft',
  ...searchedColumns,
] as const;

const stockedBooks = (db: Db) => db.selectFrom('books').select(stockColumns);
export type StockedBook = Awaited<ReturnType<ReturnType<typeof stockedBooks>['execute']>>[number];

export type LockedBook = StockedBook & { version: number };

/** Locks books to the end of the transaction. Every change of the number of copies does this first. */
export const lockBooks = (db: Db, ids: readonly string[]): Promise<LockedBook[]> =>
  engineOf(db)
    .lockedInOrder(stockedBooks(db).select('version').where('books.id', 'in', ids).orderBy('books.id'))
    .execute();

/** `left`: null for any number. */
type Stock = { book: StockedBook; left: number | null };

export const isDeleted = ({ removedAt, soldOutAt }: StockedBook): boolean =>
  removedAt !== null && soldOutAt === null;

/**
 * Writes how many copies are left, and takes books off the shelf or puts them back. The last step of a transaction: it counts words,
 * also those of `moves`. @returns true if a page of the shop is another one now.
 */
export async function updateShelf(
  db: Db,
  stocks: readonly Stock[],
  { come = [], leave = [] }: BookMoves = {},
): Promise<boolean> {
  const changes = stocks.flatMap(({ book, left }) => {
    const copiesLeft = left === null ? null : Math.min(left, manyCopies);
    if (copiesLeft === book.copiesLeft) return [];
    const soldOutAt = copiesLeft === 0 && !isDeleted(book) ? Date.now() : null;
    const removedAt = isDeleted(book) ? book.removedAt : soldOutAt;
    return { book, id: book.id, copiesLeft, soldOutAt, removedAt };
  });
  const moved = changes.filter(({ book, removedAt }) => (book.removedAt === null) !== (removedAt === null));
  if (changes.length > 0) await writeShelf(db, changes);
  await countWords(db, {
    come: [...come, ...moved.flatMap(({ book, removedAt }) => (removedAt === null ? [book] : []))],
    leave: [...leave, ...moved.flatMap(({ book, removedAt }) => (removedAt === null ? [] : [book]))],
  });
  return changes.length > 0;
}

type ShelfChange = Pick<StockedBook, 'id' | 'copiesLeft' | 'soldOutAt' | 'removedAt'>;

async function writeShelf(db: Db, changes: readonly ShelfChange[]): Promise<void> {
  const items = engineOf(db).itemTable(JSON.stringify(changes), {
    id: 'text',
    copiesLeft: 'bigint',
    soldOutAt: 'bigint',
    removedAt: 'bigint',
  });
  await db
    .updateTable('books')
    .from(items)
    .set(({ ref }) => ({
      copies_left: ref('item.copiesLeft'),
      sold_out_at: ref('item.soldOutAt'),
      removed_at: ref('item.removedAt'),
    }))
    .whereRef('books.id', '=', 'item.id')
    .execute();
}

export async function withCopies<Book extends { id: string }>(
  db: Db,
  books: readonly Book[],
): Promise<(Book & { copies: number | null })[]> {
  const ids = books.map(({ id }) => id);
  const stocks =
    ids.length === 0 ? [] : await db.selectFrom('stock').selectAll().where('book_id', 'in', ids).execute();
  const left = new Map(stocks.map((stock) => [stock.book_id, stock.left]));
  return books.map((book) => ({ ...book, copies: left.get(book.id) ?? null }));
}

/** The last step of a transaction, see {@link updateShelf}. @param wanted of locked books; null for any number. */
export async function setCopies(
  db: Db,
  wanted: readonly { book: StockedBook; copies: number | null }[],
  moves?: BookMoves,
): Promise<boolean> {
  const stocks = wanted.flatMap(({ book, copies }) =>
    copies === null ? [] : { book_id: book.id, left: copies },
  );
  if (stocks.length > 0) {
    await db
      .insertInto('stock')
      .values(stocks)
      .onConflict((conflict) =>
        conflict.column('book_id').doUpdateSet(({ ref }) => ({ left: ref('excluded.left') })),
      )
      .execute();
  }
  const unlimited = wanted.flatMap(({ book, copies }) => (copies === null ? book.id : []));
  if (unlimited.length > 0) await db.deleteFrom('stock').where('book_id', 'in', unlimited).execute();
  return await updateShelf(
    db,
    wanted.map(({ book, copies }) => ({ book, left: copies })),
    moves,
  );
}

export const lockBookToBuy = (
  db: Db,
  {
    id,
    title,
    author,
    priceCents,
  }: { id: string | undefined; title: string; author: string; priceCents: number },
): Promise<StockedBook | undefined> =>
  engineOf(db)
    .lockedInOrder(
      stockedBooks(db)
        .where(({ and }) => and({ title, author, price_cents: priceCents, ...(id !== undefined && { id }) }))
        .where('removed_at', 'is', null)
        .where('copies_left', '>', 0)
        .orderBy('seq', 'desc')
        .limit(1),
    )
    .executeTakeFirst();

/** Takes a copy of a locked book that has one. {@link updateShelf} follows. @returns how many are left. */
export async function takeCopy(db: Db, bookId: string): Promise<number> {
  const { left } = await db
    .updateTable('stock')
    .set(({ eb }) => ({ left: eb('left', '-', 1) }))
    .where('book_id', '=', bookId)
    .where('left', '>', 0)
    .returning('left')
    .executeTakeFirstOrThrow();
  return left;
}

/** Gives back the copy that a locked order took: once. A book keeps as many as it may have. See {@link setCopies}. */
export async function giveCopyBack(
  db: Db,
  order: { id: string; customerId: string; bookId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ has_copy: null })
    .where('customer_id', '=', order.customerId)
    .where('id', '=', order.id)
    .where('has_copy', '=', 1)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const stocks = await withCopies(db, await lockBooks(db, [order.bookId]));
  return await setCopies(
    db,
    stocks.map((book) => ({
      book,
      copies: book.copies === null ? null : Math.min(book.copies + 1, maxCopies),
    })),
  );
}
