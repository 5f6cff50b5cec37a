import { type Actor, actorId, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { countWords } from '../search/words.ts';
import { type BookVersion, findBook } from './books.ts';
import { isDeleted, lockBooks } from './copies.ts';

/**
 * Takes a book off sale. Its row stays, with the time and the customer of the last removal.
 * @returns whether there ever was such a book.
 */
export async function deleteBook(db: Db, id: string, actor: Actor): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const [book] = await lockBooks(db, [id]);
    if (book && !isDeleted(book)) {
      await db
        .updateTable('books')
        .set({ removed_at: Date.now(), removed_by: actorId(actor), sold_out_at: null })
        .where('id', '=', id)
        .execute();
      await recordActivity(db, 'book-deleted', actor, { book: { id, title: book.title } });
      // The words of a book that is sold out are not counted.
      await countWords(db, { leave: book.is_indexed && book.removedAt === null ? [book] : [] });
    }
    return book !== undefined;
  });
}

/** Undoes {@link deleteBook}; without a copy the book is sold out. @returns the book, or undefined when there never was one. */
export async function restoreBook(db: Db, id: string, actor: Actor): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    const [book] = await lockBooks(db, [id]);
    if (book && isDeleted(book)) {
      const soldOutAt = book.copiesLeft === 0 ? Date.now() : null;
      await db
        .updateTable('books')
        .set({ removed_at: soldOutAt, sold_out_at: soldOutAt, changed_at: Date.now() })
        .where('id', '=', id)
        .execute();
      await recordActivity(db, 'book-restored', actor, { book: { id, title: book.title } });
      await countWords(db, { come: book.is_indexed && soldOutAt === null ? [book] : [] });
    }
    return await findBook(db, id);
  });
}
