import { Type } from 'typebox';
import { type BookField, bookFields, csvColumns } from '../../../contract/book-fields.ts';
import { counted } from '../../../contract/counted.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Money } from '../../../contract/price.ts';
import { fileAct } from '../../access/act.ts';
import { commandAddress, recordActivity } from '../../activity/activity.ts';
import { readPages } from '../../database/row-turns.ts';
import { csvLine } from '../../exports/csv-line.ts';
import { allColumns, isNotDeleted } from '../book-columns.ts';
import { withCopies } from '../copies.ts';
import { hyphenateIsbn } from '../hyphenate-isbn.ts';

export const exportBooks = fileAct({
  method: 'GET',
  path: deskPaths.booksExport,
  operationId: 'exportBooks',
  summary:
    'The books for sale and those that are sold out as a CSV file, oldest first, as an import takes it',
  description:
    'RFC 4180, in UTF-8 with a byte order mark; a cell that a spreadsheet would compute has an apostrophe before it.',
  scope: 'catalogue',
  files: { 'text/csv': Type.Any() },
  async run({ db, listDb, money, actor }) {
    let count = 0;
    /** The export reads one page at a time, so it needs memory for one page only. */
    async function* parts(): AsyncGenerator<string> {
      // Without the byte order mark, Excel would read the bytes in the computer's own encoding.
      yield `${actor.address === commandAddress ? '' : '\ufeff'}${csvLine(csvColumns)}`;
      const query = listDb.selectFrom('books').select(['seq', 'books.id', ...allColumns]);
      for await (const page of readPages(query.where(isNotDeleted), 'seq')) {
        const books = await withCopies(listDb, page);
        count += books.length;
        const rows = books.map((book) => [
          book.id,
          ...bookFields.map((field) => cellOf(field, book[field.property], money)),
        ]);
        yield rows.map(csvLine).join('');
      }
    }
    return {
      name: ['books'],
      ending: 'csv',
      type: 'text/csv; charset=utf-8',
      async read() {
        await recordActivity(db, 'books-exported', actor);
        return parts();
      },
      count: () => counted(count, 'book'),
    };
  },
  commands: { 'books export': {} },
});

/** Writes the ISBN with hyphens: a spreadsheet would turn its digits into 9.78014E+12, and store that. */
const cellOf = ({ kind, write }: BookField, stored: string | number | null, { decimals }: Money): string =>
  kind === 'isbn' && stored !== null ? hyphenateIsbn(String(stored)) : write(stored, decimals);
