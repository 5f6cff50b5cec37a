/** Changing a book: its id, its place in the list and its orders stay. */

import { type BookDetails, type BookField, bookFields } from '../../contract/book-fields.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { countWords } from '../search/words.ts';
import { allColumns, type BookVersion, bookColumns, columnsOfBook } from './books.ts';

/** The new values of fields; a field that is left out stays. Null: the book has none any more. */
export type BookEdit = Partial<BookDetails>;

/** @returns the fields that a change gives another value, in alphabetical order. */
export const changedFields = (book: BookDetails, edit: BookEdit): BookField[] =>
  bookFields
    .filter(({ property }) => edit[property] !== undefined && edit[property] !== book[property])
    .sort((one, other) => (one.name < other.name ? -1 : 1));

/** @returns for the audit trail, such as `{oldPrice: 12.99, newPrice: 10.99}`. */
const oldAndNew = (fields: readonly BookField[], old: BookDetails, edited: BookDetails) =>
  Object.fromEntries(
    fields.flatMap(({ property, inTrail, show }) => [
      [inTrail.old, show(old[property] ?? null)],
      [inTrail.new, show(edited[property] ?? null)],
    ]),
  );

/** @returns true if the words of a book for sale are counted. Those of one that waits for its index may not be (indexing.ts). */
export const areWordsCounted = (book: { is_indexed: number | null; title_key: string | null }): boolean =>
  book.is_indexed !== null || book.title_key !== null;

/**
 * Changes a book for sale. A change to the values that it has is none: the version stays, and nothing is recorded.
 * @param isExpected whether the version that is there is the one that the change is based on.
 * @returns the book, or undefined for a removed one and for none.
 * @throws {Problem} BOOK_CHANGED when another version is there.
 */
export async function editBook(
  db: Db,
  id: string,
  edit: BookEdit,
  { actor, isExpected }: { actor: Actor; isExpected(book: BookVersion): boolean },
): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    for (;;) {
      const found = await db
        .selectFrom('books')
        .select(['books.id', ...allColumns, 'version', 'is_indexed', 'title_key'])
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      if (!found) return undefined;
      if (!isExpected(found)) throw new Problem('BOOK_CHANGED');
      const fields = changedFields(found, edit);
      if (fields.length === 0) return found;
      const details = { ...found, ...edit };
      const edited = await db
        .updateTable('books')
        .set({ ...columnsOfBook(details), version: found.version + 1 })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .where('version', '=', found.version)
        .where('is_indexed', found.is_indexed === null ? 'is' : '=', found.is_indexed)
        .returning([...bookColumns, 'version'])
        .executeTakeFirst();
      // Changed by another connection since it was read: PostgreSQL shows the next statement what is there now.
      if (!edited) continue;
      await recordActivity(db, 'book-edited', actor, {
        book: edited,
        details: {
          fields: fields.map(({ name }) => name).join(', '),
          ...oldAndNew(fields, found, details),
        },
      });
      await countWords(db, { come: [details], leave: areWordsCounted(found) ? [found] : [] });
      return edited;
    }
  });
}
