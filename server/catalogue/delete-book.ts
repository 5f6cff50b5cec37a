import { type Actor, actorId, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { countWords } from '../search/words.ts';
import { type BookVersion, countedColumns, findBook, findPosition } from './books.ts';

/**
 * Takes a book off sale. Its row stays, with the time and the customer of the last removal.
 * @returns whether there ever was such a book.
 */
export async function deleteBook(db: Db, id: string, actor: Actor): Promise<boolean> {
  return await db.transaction().execute(async (db) => {
    const removed = await db
      .updateTable('books')
      .set({ removed_at: Date.now(), removed_by: actorId(actor) })
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .returning(countedColumns)
      .executeTakeFirst();
    if (removed) {
      await recordActivity(db, 'book-deleted', actor, { book: { id, title: removed.title } });
      await countWords(db, { leave: removed.is_indexed ? [removed] : [] });
    }
    return removed !== undefined || (await findPosition(db, id)) !== undefined;
  });
}

/** Undoes {@link deleteBook}. @returns the book, or undefined when there never was one. */
export async function restoreBook(db: Db, id: string, actor: Actor): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    const restored = await db
      .updateTable('books')
      .set({ removed_at: null })
      .where('id', '=', id)
      .where('removed_at', 'is not', null)
      .returning(countedColumns)
      .executeTakeFirst();
    if (restored) {
      await recordActivity(db, 'book-restored', actor, { book: { id, title: restored.title } });
      await countWords(db, { come: restored.is_indexed ? [restored] : [] });
    }
    return await findBook(db, id);
  });
}
