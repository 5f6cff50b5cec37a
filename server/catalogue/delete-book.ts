import { type Actor, actorId, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { countWords } from '../search/words.ts';
import { type BookVersion, findBook } from './books.ts';
import { isDeleted, type LockedBook, lockBooks } from './copies.ts';

type Expectation = (book: LockedBook) => boolean;

/** Takes a book off sale; its row stays. @throws {Problem} BOOK_CHANGED when the book is not as expected. */
export async function deleteBook(
  db: Db,
  id: string,
  actor: Actor,
  isExpected: Expectation = () => true,
): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const [book] = await lockBooks(db, [id]);
    if (book && !isExpected(book)) throw new Problem('BOOK_CHANGED');
    if (book && !isDeleted(book)) {
      await db
        .updateTable('books')
        .set({ removed_at: Date.now(), removed_by: actorId(actor), sold_out_at: null })
        .where('id', '=', id)
        .execute();
      await recordActivity(db, 'book-deleted', actor, { book: { id, title: book.title } });
      // The words of a book that is sold out are not counted.
      await countWords(db, { leave: book.removedAt === null ? [book] : [] });
    }
    return book !== undefined;
  });
}

/** Undoes {@link deleteBook}; a book without copies becomes sold out. @returns the book, or undefined when there never was one. */
export async function restoreBook(
  db: Db,
  id: string,
  actor: Actor,
  isExpected: Expectation = () => true,
): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    const [book] = await lockBooks(db, [id]);
    if (book && !isExpected(book)) throw new Problem('BOOK_CHANGED');
    if (book && isDeleted(book)) {
      const soldOutAt = book.copiesLeft === 0 ? Date.now() : null;
      await db
        .updateTable('books')
        .set({ removed_at: soldOutAt, sold_out_at: soldOutAt, changed_at: Date.now() })
        .where('id', '=', id)
        .execute();
      await recordActivity(db, 'book-restored', actor, { book: { id, title: book.title } });
      await countWords(db, { come: soldOutAt === null ? [book] : [] });
    }
    return await findBook(db, id);
  });
}
