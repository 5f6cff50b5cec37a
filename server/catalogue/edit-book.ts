/** Changing a book: its id, its place in the list and its orders stay. */

import { type BookDetails, type BookField, bookFields, maxCopies } from '../../contract/book-fields.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { engineOf } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { allColumns, coverColour, isNotDeleted } from './book-columns.ts';
import { type BookVersion, columnsOfBook, findBook } from './books.ts';
import { setCopies, stockColumns, withCopies } from './copies.ts';

/** A field that is left out stays as it is; null removes the value. */
export type BookEdit = Partial<BookDetails>;

export const changedFields = (book: BookDetails, edit: BookEdit): BookField[] =>
  bookFields
    .filter(({ property }) => edit[property] !== undefined && edit[property] !== book[property])
    .sort((one, other) => (one.name < other.name ? -1 : 1));

const oldAndNew = (fields: readonly BookField[], old: BookDetails, edited: BookDetails) =>
  Object.fromEntries(
    fields.flatMap(({ property, inTrail, show }) => [
      [inTrail.old, show(old[property] ?? null)],
      [inTrail.new, show(edited[property] ?? null)],
    ]),
  );

/** A book with the values that an edit is based on; `copies`: how many can be sold now; null: any number. */
export type EditedBook = BookVersion & BookDetails;

/**
 * An edit to the same values changes nothing: the version stays, and nothing is recorded. The version does not count copies, which
 * customers change too. @throws {Problem} BOOK_CHANGED when another version is there than the expected one.
 */
export async function editBook(
  db: Db,
  id: string,
  edit: BookEdit | ((book: EditedBook) => BookEdit),
  { actor, isExpected }: { actor: Actor; isExpected(book: BookVersion): boolean },
): Promise<BookVersion | undefined> {
  return await db.transaction().execute(async (db) => {
    const query = db
      .selectFrom('books')
      .select([...stockColumns, ...allColumns, 'version', coverColour])
      .where('id', '=', id)
      .where(isNotDeleted)
      .orderBy('books.id');
    const [found] = await withCopies(db, await engineOf(db).lockedInOrder(query).execute());
    if (!found) return undefined;
    if (!isExpected(found)) throw new Problem('BOOK_CHANGED');
    const change = typeof edit === 'function' ? edit(found) : edit;
    const fields = changedFields(found, change);
    if (fields.length === 0) return found;
    const details = { ...found, ...change };
    const isStored = fields.some(({ kind }) => kind !== 'count');
    if (isStored) {
      await db
        .updateTable('books')
        .set({ ...columnsOfBook(details), changed_at: Date.now(), version: found.version + 1 })
        .where('id', '=', id)
        .execute();
    }
    await recordActivity(db, 'book-edited', actor, {
      book: { id, title: details.title },
      details: {
        fields: fields.map(({ name }) => name).join(', '),
        ...oldAndNew(fields, found, details),
      },
    });
    await setCopies(
      db,
      details.copies === found.copies ? [] : [{ book: details, left: details.copies }],
      isStored && found.removedAt === null ? { come: [details], leave: [found] } : {},
    );
    return await findBook(db, id);
  });
}

/** @param by how many copies are added; below 0: sold elsewhere. @throws {Problem} SOLD_OUT, or VALIDATION_FAILED for too many. */
export function copiesBy({ copies = null }: EditedBook, by: number, field = 'by'): BookEdit {
  if (copies === null) throw fieldProblem(field, 'Any number of this book can be sold. Set a number first.');
  if (copies + by > maxCopies) throw fieldProblem(field, `At most ${maxCopies.toLocaleString('en')} copies.`);
  if (copies + by < 0) throw new Problem('SOLD_OUT');
  return { copies: copies + by };
}
