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

/** The value of `books.copies_left` for a book with this many copies, or more. */
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

/** Locks books until the end of the transaction. Every change of a number of copies does this first. */
export const lockBooks = (db: Db, ids: readonly string[]): Promise<LockedBook[]> =>
  engineOf(db)
    .lockedInOrder(stockedBooks(db).select('version').where('books.id', 'in', ids).orderBy('books.id'))
    .execute();

/** `left`: the number of copies; null: any number. */
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
  const moves = { come: [...come], leave: [...leave] };
  let isChanged = false;
  for (const { book, left } of stocks) {
    const copiesLeft = left === null ? null : Math.min(left, manyCopies);
    if (copiesLeft === book.copiesLeft) continue;
    isChanged = true;
    const soldOutAt = copiesLeft === 0 && !isDeleted(book) ? Date.now() : null;
    const removedAt = isDeleted(book) ? book.removedAt : soldOutAt;
    await db
      .updateTable('books')
      .set({ copies_left: copiesLeft, sold_out_at: soldOutAt, removed_at: removedAt })
      .where('id', '=', book.id)
      .execute();
    if (book.removedAt === null && removedAt !== null) moves.leave.push(book);
    if (book.removedAt !== null && removedAt === null) moves.come.push(book);
  }
  await countWords(db, moves);
  return isChanged;
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

/** Updates the shelf as the last step of a transaction, see {@link updateShelf}. @param stocks of locked books. */
export async function setCopies(db: Db, stocks: readonly Stock[], moves?: BookMoves): Promise<boolean> {
  for (const { book, left } of stocks) {
    if (left === null) await db.deleteFrom('stock').where('book_id', '=', book.id).execute();
    else
      await db
        .insertInto('stock')
        .values({ book_id: book.id, left })
        .onConflict((conflict) => conflict.column('book_id').doUpdateSet({ left }))
        .execute();
  }
  return await updateShelf(db, stocks, moves);
}

type BookToBuy = { id?: string; title: string; author: string; price_cents: number };

export const lockBookToBuy = (db: Db, book: BookToBuy): Promise<StockedBook | undefined> =>
  engineOf(db)
    .lockedInOrder(
      stockedBooks(db)
        .where(({ and }) => and(book))
        .where('removed_at', 'is', null)
        .where('copies_left', '>', 0)
        .orderBy('seq', 'desc')
        .limit(1),
    )
    .executeTakeFirst();

/** Takes a copy of a locked book that has one; the caller then calls {@link updateShelf}. @returns how many are left. */
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

/** Gives back, once, the copy that a locked order took. A book keeps no more copies than {@link setCopies} allows. */
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
  const [book] = await withCopies(db, await lockBooks(db, [order.bookId]));
  if (!book || book.copies === null) return false;
  return await setCopies(db, [{ book, left: Math.min(book.copies + 1, maxCopies) }]);
}
