import { imageIdIn } from '../../contract/image-address.ts';
import { columnsOfBook } from '../catalogue/books.ts';
import { isDeleted } from '../catalogue/copies.ts';
import { changedFields } from '../catalogue/edit-book.ts';
import type { Db } from '../database/tables.ts';
import type { ImportRow } from './check-row.ts';
import { type FoundBook, findBooksOf, lockBooksOf } from './find-books.ts';
import type { RowError } from './read-csv.ts';
import type { Outcome, Report } from './report.ts';
import type { RowImages } from './row-images.ts';
import type { SeenRows } from './seen-rows.ts';
import type { BookToWrite } from './write-books.ts';

type PlanParts = { isDryRun: boolean; images: RowImages; seen: SeenRows; report: Report };

/**
 * Compares rows with the catalogue. The report gets what becomes of each.
 * @param db a transaction, in which the books are locked; for a dry run the database.
 */
export async function planRows(
  db: Db,
  rows: readonly ImportRow[],
  { isDryRun, images, seen, report }: PlanParts,
): Promise<BookToWrite[]> {
  const found = isDryRun ? await findBooksOf(db, rows) : await lockBooksOf(db, rows);
  const wanted = rows.flatMap((row) => {
    const book = found.get(row);
    const details = { ...row.details };
    try {
      if (!row.isImageMade) details.image = images.keep(details.image, book?.image);
    } catch (error) {
      report.addWrongImage(row, error);
      return [];
    }
    const id = book?.id ?? row.id;
    const earlier = id === undefined ? undefined : seen.addBook(id, row.line);
    if (earlier !== undefined) {
      report.addError(sameBook(row, earlier));
      return [];
    }
    const outcome = outcomeOf(details, book);
    report.count(outcome);
    if (outcome === 'unchanged') return [];
    if (book && isDryRun) report.addChange(row.line, book, details);
    return { ...row, details, book };
  });
  await noteImages(db, wanted, { isDryRun, report });
  if (isDryRun) return [];
  return wanted.map(({ id, details, book }) => {
    return { id, details, book, columns: columnsOfBook({ ...book, ...details }) };
  });
}

export const sameBook = ({ line, id }: ImportRow, earlier: number): RowError => ({
  line,
  column: id === undefined ? 'title' : 'id',
  reason: `Line ${earlier} has the same book.`,
});

function outcomeOf(details: ImportRow['details'], book: FoundBook | undefined): Outcome {
  if (!book) return 'added';
  if (isDeleted(book)) return 'restored';
  return changedFields(book, details).length === 0 ? 'unchanged' : 'changed';
}

/** Counts the rows whose image the store lacks. Those that it has are as new ones: no sweep removes what a book is about to use. */
async function noteImages(
  db: Db,
  rows: readonly ImportRow[],
  { isDryRun, report }: Pick<PlanParts, 'isDryRun' | 'report'>,
): Promise<void> {
  const idOf = ({ details }: ImportRow) => imageIdIn(details.image);
  const ids = [...new Set(rows.flatMap((row) => idOf(row) ?? []))];
  if (ids.length === 0) return;
  const stored = isDryRun
    ? await db.selectFrom('images').select('id').where('id', 'in', ids).execute()
    : await db
        .updateTable('images')
        .set({ created_at: Date.now() })
        .where('id', 'in', ids)
        .returning('id')
        .execute();
  const found = new Set(stored.map(({ id }) => id));
  for (const row of rows) {
    const id = idOf(row);
    if (id && !row.isImageMade && !found.has(id)) report.result.missingImages += 1;
  }
}
