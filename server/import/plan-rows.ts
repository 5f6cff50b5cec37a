import { imageIdIn } from '../../contract/image-address.ts';
import { seriesIn } from '../../contract/series.ts';
import { isDeleted } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import type { Db } from '../database/tables.ts';
import type { ImportRow } from './check-row.ts';
import { type FoundBook, findBooksOf, lockBooksOf } from './find-books.ts';
import type { RowError } from './read-csv.ts';
import { type RowImages, wrongImage } from './row-images.ts';
import type { SeenRows } from './seen-rows.ts';

/** The effect of a row on the catalogue. A deleted book is restored, and may change too. */
export type Outcome = 'added' | 'changed' | 'restored' | 'unchanged';

export type PlannedRow = ImportRow & { book: FoundBook | undefined; outcome: Outcome };

/** @param db a transaction that has locked the books; for a dry run, the database. */
export async function planRows(
  db: Db,
  rows: readonly (ImportRow | RowError)[],
  { isDryRun, images, seen }: { isDryRun: boolean; images: RowImages; seen: SeenRows },
): Promise<(PlannedRow | RowError)[]> {
  const right = rows.filter((row) => 'details' in row);
  const found = isDryRun ? await findBooksOf(db, right) : await lockBooksOf(db, right);
  return rows.map((row): PlannedRow | RowError => {
    if ('reason' in row) return row;
    const book = found.get(row);
    const details = { ...seriesOf(row, book), ...row.details };
    try {
      if (!row.isImageMade) details.image = images.keep(details.image, book?.image);
    } catch (error) {
      return wrongImage(row, error);
    }
    const id = book?.id ?? row.id;
    const wrong = id === undefined ? undefined : seen.addBook(id, row);
    return wrong ?? { ...row, details, book, outcome: outcomeOf(details, book) };
  });
}

/** @returns the series in the title, for a file that does not say which it is, and a book that has none. */
const seriesOf = ({ details: { title, series, seriesNumber } }: ImportRow, book: FoundBook | undefined) =>
  series === undefined && seriesNumber === undefined && !book?.series ? seriesIn(title) : undefined;

function outcomeOf(details: ImportRow['details'], book: FoundBook | undefined): Outcome {
  if (!book) return 'added';
  if (isDeleted(book)) return 'restored';
  return changedFields(book, details).length === 0 ? 'unchanged' : 'changed';
}

/**
 * Marks the store's images as recently used, so that no sweep removes them before the books use them. @returns how many of the books will
 * have an image that the store lacks.
 */
export async function renewImages(db: Db, books: readonly PlannedRow[], isDryRun: boolean): Promise<number> {
  const ids = books.flatMap(({ details, isImageMade }) =>
    isImageMade ? [] : (imageIdIn(details.image) ?? []),
  );
  if (ids.length === 0) return 0;
  if (!isDryRun)
    await db.updateTable('images').set({ created_at: Date.now() }).where('id', 'in', ids).execute();
  const stored = await db.selectFrom('images').select('id').where('id', 'in', ids).execute();
  const found = new Set(stored.map(({ id }) => id));
  return ids.filter((id) => !found.has(id)).length;
}
