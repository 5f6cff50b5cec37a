/**
 * The copies of a book that the shop has a number of (docs/decisions/0056). Each is a row of `copies`, which names the order that took
 * it: a copy is sold once, because a row has room for one order, and comes back once, because it stops to name it.
 *
 * The row of the book has the part that the shop shows: `copies_left`, and its place on the shelf. A change of that row gives the
 * catalogue another version, so it counts no further than 4: only the last sales of a book change what a page says.
 */

import { sql } from 'kysely';
import { maxCopies } from '../../contract/book-fields.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { type BookMoves, countWords } from '../search/words.ts';
import { countedColumns } from './book-columns.ts';

/** `books.copies_left` of a book with so many copies, or more. */
export const manyCopies = 4;

/** The columns that decide a book's place on the shelf, and the words that it brings there. */
export const stockColumns = [
  'books.id',
  'removed_at as removedAt',
  'sold_out_at as soldOutAt',
  'copies_left as copiesLeft',
  ...countedColumns,
] as const;

const stockedBooks = (db: Db) => db.selectFrom('books').select(stockColumns);
export type StockedBook = Awaited<ReturnType<ReturnType<typeof stockedBooks>['execute']>>[number];

export type LockedBook = StockedBook & { version: number };

/** Locks books to the end of the transaction. Every change of the number of copies does this first. */
export const lockBooks = (db: Db, ids: readonly string[]): Promise<LockedBook[]> =>
  engineOf(db)
    .lockedInOrder(stockedBooks(db).select('version').where('books.id', 'in', ids).orderBy('books.id'))
    .execute();

/** A locked book, and how many copies of it can be sold now; null for any number. */
type Stock = { book: StockedBook; left: number | null };

export const isDeleted = ({ removedAt, soldOutAt }: StockedBook): boolean =>
  removedAt !== null && soldOutAt === null;

/**
 * Writes into the rows of books how many copies are left, and takes them off the shelf or puts them back. The last step of a
 * transaction: it counts words.
 * @param moves what the transaction has done with books before: their words are counted with those of the shelf.
 * @returns true if a page of the shop is another one now.
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
  const moved = changes.filter(
    ({ book, removedAt }) => (book.removedAt === null) !== (removedAt === null) && book.is_indexed !== null,
  );
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

/** @returns the locked books with how many copies are left, counted as far as the shop shows it. */
export async function countStocks(db: Db, books: readonly StockedBook[]): Promise<Stock[]> {
  const ids = books.map(({ id }) => id);
  const { rows } = await sql<{ id: string; left: number }>`
    select id, (
      select count(*) from (
        select 1 from copies where book_id = books.id and order_id is null limit ${sql.lit(manyCopies)}
      ) as free
    ) as "left"
    from books where id in (${sql.join(ids)})
  `.execute(db);
  const left = new Map(rows.map((row) => [row.id, Number(row.left)]));
  return books.map((book) => ({ book, left: left.get(book.id) ?? 0 }));
}

/**
 * @param isLocked whether the copies stay as they are counted, to the end of the transaction: an order of one of many locks no book.
 * @returns by book how many copies can be sold; none for a book without.
 */
async function countFree(db: Db, ids: readonly string[], isLocked: boolean): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const free = db
    .selectFrom('copies')
    .select('book_id')
    .where('book_id', 'in', ids)
    .where('order_id', 'is', null)
    .orderBy('id');
  const counts = await db
    .selectFrom((isLocked ? engineOf(db).lockedInOrder(free) : free.clearOrderBy()).as('free'))
    .select(({ fn }) => ['book_id', fn.countAll<number>().as('count')])
    .groupBy('book_id')
    .execute();
  return new Map(counts.map(({ book_id, count }) => [book_id, Number(count)]));
}

/**
 * @param isLocked whether the books are locked, and the copies stay as they are counted, to the end of the transaction.
 * @returns books with the number of their copies that can be sold; null for any number.
 */
export async function withCopies<Book extends { id: string; copiesLeft: number | null }>(
  db: Db,
  books: readonly Book[],
  isLocked = false,
): Promise<(Book & { copies: number | null })[]> {
  const counted = books.filter(({ copiesLeft }) => copiesLeft !== null);
  const free = await countFree(
    db,
    counted.map(({ id }) => id),
    isLocked,
  );
  return books.map((book) => ({
    ...book,
    copies: book.copiesLeft === null ? null : (free.get(book.id) ?? 0),
  }));
}

/**
 * Sets how many copies of locked books can be sold; null for any number. The last step of a transaction.
 * @param moves see {@link updateShelf}.
 * @returns true if a page of the shop is another one now.
 */
export async function setCopies(
  db: Db,
  wanted: readonly { book: StockedBook; copies: number | null }[],
  moves?: BookMoves,
): Promise<boolean> {
  const free = await countFree(
    db,
    wanted.map(({ book }) => book.id),
    true,
  );
  const differences = wanted.map(({ book, copies }) => ({
    book_id: book.id,
    count: (copies ?? 0) - (free.get(book.id) ?? 0),
  }));
  await addFree(
    db,
    differences.filter(({ count }) => count > 0),
  );
  await removeFree(
    db,
    differences.flatMap(({ book_id, count }) => (count < 0 ? { book_id, count: -count } : [])),
  );
  return await updateShelf(
    db,
    wanted.map(({ book, copies }) => ({ book, left: copies })),
    moves,
  );
}

type Counts = readonly { book_id: string; count: number }[];

const itemsOf = (db: Db, counts: Counts) =>
  engineOf(db).itemTable(JSON.stringify(counts), { book_id: 'text', count: 'bigint' });

async function addFree(db: Db, counts: Counts): Promise<void> {
  if (counts.length === 0) return;
  const most = Math.max(...counts.map(({ count }) => count));
  await sql`
    insert into copies (book_id)
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${most})
    select item.book_id from ${itemsOf(db, counts)} join numbers on numbers.number <= item.count
  `.execute(db);
}

async function removeFree(db: Db, counts: Counts): Promise<void> {
  if (counts.length === 0) return;
  const ids = sql`(${sql.join(counts.map(({ book_id }) => book_id))})`;
  await sql`
    delete from copies where id in (
      select free.id from ${itemsOf(db, counts)} join (
        select id, book_id, row_number() over (partition by book_id order by id desc) as place
        from copies where order_id is null and book_id in ${ids}
      ) as free on free.book_id = item.book_id and free.place <= item.count
    )
  `.execute(db);
}

/**
 * Gives back the copies that orders took, for others to buy: those of orders that took one, and each once. A book keeps as many as it
 * may have. The last step of a transaction.
 * @returns true if a page of the shop is another one now.
 */
export async function giveCopyBack(db: Db, orderIds: readonly string[]): Promise<boolean> {
  if (orderIds.length === 0) return false;
  const taken = await db.selectFrom('copies').select('book_id').where('order_id', 'in', orderIds).execute();
  if (taken.length === 0) return false;
  const books = await lockBooks(db, [...new Set(taken.map(({ book_id }) => book_id))]);
  await db.updateTable('copies').set({ order_id: null }).where('order_id', 'in', orderIds).execute();
  const stocks = await withCopies(db, books, true);
  return await setCopies(
    db,
    stocks.map((book) => ({ book, copies: book.copies && Math.min(book.copies, maxCopies) })),
  );
}
