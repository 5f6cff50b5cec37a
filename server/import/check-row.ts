import { type BookDetails, bookFields, byField, type CsvColumn } from '../../contract/book-fields.ts';
import { tidyValue } from '../../contract/pasted-text.ts';
import type { Money } from '../../contract/price.ts';
import { reasonAgainst } from '../catalogue/wrong-texts.ts';
import type { CsvRow, RowError } from './read-csv.ts';

/** A row with valid texts. An optional field is left out when the file has no such column: then the book keeps its value. */
export type ImportRow = {
  line: number;
  id: string | undefined;
  details: BookDetails;
  /** True if an earlier row has the same ISBN, for example for another copy: then the ISBN identifies no book. */
  isIsbnShared?: boolean;
  /** True if the image was made from a file or an address: the store has it, or would have it without a dry run. */
  isImageMade?: boolean;
};

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @returns the first mistake of a wrong row, in the order of the columns; its reason also has the other mistakes. */
export function checkRow(row: CsvRow, money?: Money): ImportRow | RowError {
  const { line, cells } = row;
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
      const text = read(name);
      if (text === undefined) return undefined;
      const reason = reasonAgainst(field, text, money);
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
