/** Checks the rows of an import by the same rules as a book that the Admin screen adds. */

import { maxLengths } from '../../../contract/book.ts';
import { formats } from '../../../contract/field-formats.ts';
import { amountToCents } from '../../../contract/money.ts';
import type { CsvColumn } from '../csv-columns.ts';
import type { CsvRow, RowError } from './read-csv.ts';
import { reasonOfPrice } from './wrong-price.ts';

/** A row whose texts are right. `image` is as it was written: where it comes from decides what is done with it. */
export type ImportRow = {
  line: number;
  id: string | undefined;
  title: string;
  author: string;
  priceCents: number;
  image: string;
  /** Undefined when the file has no such column: those of a book stay. */
  keywords: string | null | undefined;
};

/** A mistake in a row, which is then left out. */
export class WrongRow extends Error {
  readonly error: RowError;

  constructor(error: RowError) {
    super(error.reason);
    this.error = error;
  }
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
const empty = 'Must not be empty.';
const notUtf8 = 'Is not UTF-8, perhaps Windows-1252. Save the file as “CSV UTF-8”.';

/** @throws {WrongRow} for the first mistake, in the order of the columns. */
export function checkRow({ line, cells, hasDecimalComma }: CsvRow): ImportRow {
  const fail = (column: CsvColumn, reason: string): never => {
    throw new WrongRow({ line, column, reason });
  };
  const read = (column: CsvColumn): string => {
    const text = cells[column];
    if (text === null) return fail(column, notUtf8);
    return text ?? '';
  };
  const readLine = (column: 'title' | 'author' | 'keywords'): string => {
    const text = read(column);
    if (!formats['line']?.check(text, '')) fail(column, formats['line']?.message ?? '');
    checkLength(column, text);
    return text;
  };
  const checkLength = (column: keyof typeof maxLengths, text: string) => {
    const max = maxLengths[column];
    // A character may take two units of the string.
    if (text.length > max && [...text].length > max)
      fail(column, `Must not be longer than ${max} characters.`);
  };
  const id = read('id');
  if (id !== '' && !idPattern.test(id)) fail('id', 'Is not an id. Leave it empty for a new book.');
  const title = readLine('title') || fail('title', empty);
  const author = readLine('author') || fail('author', empty);
  const price = read('price') || fail('price', empty);
  const priceCents = amountToCents(hasDecimalComma ? price.replace(',', '.') : price);
  if (priceCents === undefined) return fail('price', reasonOfPrice(price));
  const image = read('image') || fail('image', empty);
  checkLength('image', image);
  const keywords = cells.keywords === undefined ? undefined : readLine('keywords') || null;
  return { line, id: id || undefined, title, author, priceCents, image, keywords };
}
