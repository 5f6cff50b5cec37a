import type { FrontTable } from '../../contract/desk/front-table.ts';
import { maxOnFrontTable } from '../../contract/front-limits.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { isNotDeleted, listedColumns } from '../catalogue/book-columns.ts';
import { booksForSale, type ListedBookForSale, presentBook } from '../catalogue/books.ts';
import { isDeleted, lockBooks } from '../catalogue/copies.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';

/** Lists the books in the order in which they were chosen. A deleted or sold-out book is left out until it is for sale again. */
export const findTableBooks = (db: Db): Promise<ListedBookForSale[]> =>
  booksForSale(db)
    .select(listedColumns)
    .where('front_table_at', 'is not', null)
    .orderBy('front_table_at')
    .orderBy('seq')
    .limit(maxOnFrontTable)
    .execute();

const frontWords = (db: Db) => db.selectFrom('front_table').select(['heading', 'words']).orderBy('id');

export const findFrontWords = (db: Db) => frontWords(db).executeTakeFirstOrThrow();

export async function findFrontTable(db: Db): Promise<FrontTable> {
  return { ...(await findFrontWords(db)), books: (await findTableBooks(db)).map(presentBook) };
}

/** Puts a book on the table. @returns whether there is such a book. @throws {Problem} FRONT_TABLE_FULL. */
export async function setOnFrontTable(db: Db, id: string, isOn: boolean, actor: Actor): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    // Without the lock, two books that are added at once would both find a free place.
    await lockFrontTable(db);
    const books = db.selectFrom('books').select(['id', 'title', 'front_table_at']).where('id', '=', id);
    const book = await engineOf(db).lockedInOrder(books.where(isNotDeleted)).executeTakeFirst();
    if (!book) return false;
    if ((book.front_table_at !== null) === isOn) return true;
    if (isOn && (await findTableBooks(db)).length >= maxOnFrontTable) throw new Problem('FRONT_TABLE_FULL');
    await db
      .updateTable('books')
      .set({ front_table_at: isOn ? Date.now() : null })
      .where('id', '=', id)
      .execute();
    await recordActivity(db, isOn ? 'front-table-book-added' : 'front-table-book-removed', actor, { book });
    return true;
  });
}

/**
 * Puts these books on the locked table, in this order, and takes the others off. Books that are sold out keep their place.
 * @returns the titles before and after; undefined if nothing moved. @throws {Problem} BOOK_NOT_FOUND.
 */
export async function setTableBooks(db: Db, ids: readonly string[]) {
  const before = await findTableBooks(db);
  const touched = new Set([...before.map(({ id }) => id), ...ids]);
  const books = touched.size === 0 ? [] : await lockBooks(db, [...touched]);
  const now = Date.now();
  const kept = new Set(books.filter((book) => !isDeleted(book)).map(({ id }) => id));
  if (!ids.every((id) => kept.has(id))) throw new Problem('BOOK_NOT_FOUND');
  for (const book of books) {
    const place = ids.indexOf(book.id);
    const front_table_at = place < 0 ? null : now + place;
    await db.updateTable('books').set({ front_table_at }).where('id', '=', book.id).execute();
  }
  const after = await findTableBooks(db);
  const titlesOf = (books: readonly { title: string }[]) => books.map(({ title }) => title).join(', ');
  // Two books may have the same title.
  const areMoved = before.map(({ id }) => id).join() !== after.map(({ id }) => id).join();
  return areMoved ? { oldBooks: titlesOf(before), newBooks: titlesOf(after) } : undefined;
}

export const lockFrontTable = (db: Db) =>
  engineOf(db).lockedInOrder(frontWords(db)).executeTakeFirstOrThrow();
