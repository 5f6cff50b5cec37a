import { type Actor, actorId } from '../activity/activity.ts';
import { columnsOfBook } from '../catalogue/books.ts';
import { isDeleted, setCopies } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import { newId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import type { PlannedRow } from './plan-rows.ts';

/** Adds and changes books. This must be the last step of a transaction: it counts words. */
export async function writeBooks(db: Db, rows: readonly PlannedRow[], actor: Actor): Promise<void> {
  const written = rows.map(({ id, details, book }) => {
    const soldOutAt =
      book && isDeleted(book) && book.copiesLeft === 0 ? Date.now() : (book?.soldOutAt ?? null);
    return {
      book,
      copies: details.copies,
      /** The number of copies is no column of the table `books`. */
      isStored: !book || isDeleted(book) || changedFields(book, details).some(({ kind }) => kind !== 'count'),
      columns: {
        ...columnsOfBook({ ...book, ...details }),
        id: book?.id ?? id ?? newId(),
        removed_at: soldOutAt,
        sold_out_at: soldOutAt,
      },
    };
  });
  const stored = written.filter(({ isStored }) => isStored);
  await putBooks(
    db,
    stored.map(({ columns }) => columns),
    actor,
  );
  const counted = written.flatMap(({ book, columns, copies }) => {
    if (copies === undefined || copies === (book?.copies ?? null)) return [];
    const { removed_at: removedAt, sold_out_at: soldOutAt } = columns;
    return { book: { ...columns, removedAt, soldOutAt, copiesLeft: book?.copiesLeft ?? null }, left: copies };
  });
  await setCopies(db, counted, {
    come: stored.flatMap(({ columns }) => (columns.removed_at === null ? columns : [])),
    leave: stored.flatMap(({ book }) => (book?.removedAt === null ? book : [])),
  });
}

type WrittenBook = ReturnType<typeof columnsOfBook> & {
  id: string;
  removed_at: number | null;
  sold_out_at: number | null;
};

/** One statement inserts the books, and changes those whose id exists already. */
async function putBooks(db: Db, books: readonly WrittenBook[], actor: Actor): Promise<void> {
  if (books.length === 0) return;
  const columns = Object.keys(books[0] ?? {}) as (keyof WrittenBook)[];
  const now = Date.now();
  await db
    .insertInto('books')
    // `seq` gives the order: the newest book is first.
    .values(books.map((book) => ({ ...book, added_at: now, added_by: actorId(actor) })))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref, eb }) => ({
        ...Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)])),
        changed_at: now,
        version: eb('books.version', '+', 1),
      })),
    )
    .execute();
}
