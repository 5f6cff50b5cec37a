/** The books as a CSV file, which an import takes: those for sale, and those that are sold out. */

import { type BookField, bookFields, csvColumns } from '../../contract/book-fields.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { readInTurn, rowsPerTurn } from '../database/row-turns.ts';
import type { Db } from '../database/tables.ts';
import { csvLine } from '../exports/csv-line.ts';
import { allColumns, isNotDeleted } from './book-columns.ts';
import { withCopies } from './copies.ts';
import { hyphenateIsbn } from './hyphenate-isbn.ts';

type ExportOptions = {
  hasByteOrderMark?: boolean;
  /** Called with the number of books that each part of the file has. */
  onBooks?: (count: number) => void;
};

/**
 * Exports the books, oldest first: added in this order, they have the same places. The memory for one page is enough.
 * @param readDb where the books are read. The audit trail is written to `db`, before the first of them.
 * @returns the text of the file in parts, none of them empty.
 */
export async function exportBooks(
  { db, readDb }: { db: Db; readDb: Db },
  actor: Actor,
  options: ExportOptions = {},
): Promise<AsyncGenerator<string>> {
  await recordActivity(db, 'books-exported', actor);
  return partsOf(readDb, options);
}

async function* partsOf(
  db: Db,
  { hasByteOrderMark = false, onBooks }: ExportOptions,
): AsyncGenerator<string> {
  yield `${hasByteOrderMark ? '\ufeff' : ''}${csvLine(csvColumns)}`;
  for (let after = 0; ; ) {
    const query = db
      .selectFrom('books')
      .select(['seq', 'books.id', ...allColumns, 'copies_left as copiesLeft'])
      .where(isNotDeleted)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsPerTurn);
    const books = await withCopies(db, await readInTurn(() => query.execute()));
    const last = books.at(-1);
    if (!last) return;
    yield books
      .map((book) => csvLine([book.id, ...bookFields.map((field) => cellOf(field, book[field.property]))]))
      .join('');
    onBooks?.(books.length);
    after = last.seq;
  }
}

/** An ISBN has hyphens: a spreadsheet would make 9.78014E+12 of its digits, and store that. */
const cellOf = ({ kind, write }: BookField, stored: string | number | null): string =>
  kind === 'isbn' && stored !== null ? hyphenateIsbn(String(stored)) : write(stored);
