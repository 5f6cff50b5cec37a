import { type BookDetails, bookFields, byField, type CsvColumn } from '../../contract/book-fields.ts';
import { tidyValue } from '../../contract/pasted-text.ts';
import { reasonAgainst } from '../catalogue/wrong-texts.ts';
import type { CsvRow, RowError } from './read-csv.ts';

/** A row whose texts are right. An optional field is left out when the file has no such column: that of a book stays. */
export type ImportRow = {
  line: number;
  id: string | undefined;
  details: BookDetails;
  /** An earlier row has the ISBN too, as of another copy: it does not say which book it is. */
  isIsbnShared?: boolean;
  /** The image was made of a file or an address: the store has it, or would without a dry run. */
  isImageMade?: boolean;
};

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @returns for a row with mistakes the first one, in the order of the columns; its reason has the others too. */
export function checkRow({ line, cells, hasDecimalComma }: CsvRow): ImportRow | RowError {
  const mistakes: { column: CsvColumn; reason: string }[] = [];
  const read = (column: CsvColumn): string | undefined => {
    const cell = cells[column];
    if (!cell?.includes('\ufffd')) return cell;
    mistakes.push({ column, reason: 'Is not UTF-8, perhaps Windows-1252. Save the file as “CSV UTF-8”.' });
    return undefined;
  };
  const id = tidyValue(read('id') ?? '') || undefined;
  if (id && !idPattern.test(id))
    mistakes.push({ column: 'id', reason: 'Is not an id. Leave it empty for a new book.' });
  const details = byField<BookDetails>(
    bookFields,
    (field) => {
      const { name, kind } = field;
      const cell = read(name);
      if (cell === undefined) return undefined;
      const text = kind === 'price' && hasDecimalComma ? cell.replace(',', '.') : cell;
      // The reason quotes what is in the cell.
      const reason = reasonAgainst(field, text) && reasonAgainst(field, cell);
      if (reason) {
        mistakes.push({ column: name, reason });
        return undefined;
      }
      return kind === 'image' ? field.tidy(text) : field.read(text, '');
    },
    'property',
  );
  const [first, ...others] = mistakes;
  if (!first) return { line, id, details };
  const also = others.map(({ column, reason }) => ` Also ${column}: ${reason}`);
  return { line, column: first.column, reason: first.reason + also.join('') };
}
