import type { BookDetails } from '../../contract/book-fields.ts';
import { type Actor, actorId } from '../activity/activity.ts';
import type { columnsOfBook } from '../catalogue/books.ts';
import { isDeleted, setCopies } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import { newId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import type { FoundBook } from './find-books.ts';

export type BookToWrite = {
  id: string | undefined;
  details: BookDetails;
  columns: ReturnType<typeof columnsOfBook>;
  book: FoundBook | undefined;
};

/** Adds and changes books. The last step of a transaction: it counts words. */
export async function writeBooks(db: Db, books: readonly BookToWrite[], actor: Actor): Promise<void> {
  const added = books.flatMap(({ id, details, columns, book }) =>
    book ? [] : { details, columns: { ...columns, id: id ?? newId(), removed_at: null, sold_out_at: null } },
  );
  const changed = books.flatMap(({ details, columns, book }) => {
    if (!book) return [];
    const soldOutAt = isDeleted(book) && book.copiesLeft === 0 ? Date.now() : book.soldOutAt;
    const written = { ...columns, id: book.id, removed_at: soldOutAt, sold_out_at: soldOutAt };
    const isEdited = isDeleted(book) || changedFields(book, details).some(({ isCounted }) => !isCounted);
    return { book, details, columns: written, isEdited };
  });
  const edited = changed.filter(({ isEdited }) => isEdited);
  await putBooks(
    db,
    [...added, ...edited].map(({ columns }) => columns),
    actor,
  );
  const wanted = [
    ...added.flatMap(({ columns, details: { copies = null } }) =>
      copies === null ? [] : { book: { ...columns, ...onShelf }, copies },
    ),
    ...changed.flatMap(({ book, columns, details: { copies }, isEdited }) => {
      if (copies === undefined || copies === book.copies) return [];
      const state = { removedAt: columns.removed_at, soldOutAt: columns.sold_out_at };
      return { book: { ...book, ...(isEdited ? columns : {}), ...state }, copies };
    }),
  ];
  await setCopies(db, wanted, {
    come: [
      ...added.map(({ columns }) => columns),
      ...edited.flatMap(({ columns }) => (columns.removed_at === null ? columns : [])),
    ],
    leave: edited.flatMap(({ book }) => (book.removedAt === null ? book : [])),
  });
}

/** A book as it is added: any number of it can be sold. */
const onShelf = { removedAt: null, soldOutAt: null, copiesLeft: null };

type WrittenBook = {
  id: string;
  removed_at: number | null;
  sold_out_at: number | null;
} & BookToWrite['columns'];

/** One statement: the books whose id is there already are changed. */
async function putBooks(db: Db, books: readonly WrittenBook[], actor: Actor): Promise<void> {
  if (books.length === 0) return;
  const columns = Object.keys(books[0] ?? {}) as (keyof WrittenBook)[];
  const now = Date.now();
  await db
    .insertInto('books')
    // Their order is that of `seq`, by which the newest is first.
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
