/** What people are shown of the rows of a file. */

import type { ImportChange } from '../../../contract/desk-books.ts';
import { centsToAmount } from '../../../contract/money.ts';
import type { ImportRow } from './check-row.ts';
import { type FoundBook, fieldsChangedBy } from './write-rows.ts';

/** @returns what a row changes of its book. */
export function changeOf(row: ImportRow, book: FoundBook): ImportChange {
  const fields = fieldsChangedBy(row, book).map((name) => {
    if (name !== 'priceCents') return { name, from: shorten(book[name]), to: shorten(row[name]) };
    return { name: 'price', from: amountOf(book.priceCents), to: amountOf(row.priceCents) };
  });
  const { id, title, removedAt } = book;
  return { line: row.line, id, title: shortened(title), isRestored: removedAt !== null, fields };
}

const amountOf = (cents: number): string => centsToAmount(cents).toFixed(2);

const maxShown = 80;

/** @returns a long text without its middle: two addresses often differ at their ends. */
export function shortened(text: string): string {
  const letters = [...text];
  if (letters.length <= maxShown) return text;
  return `${letters.slice(0, maxShown / 2).join('')}…${letters.slice(-maxShown / 2).join('')}`;
}

const shorten = (text: string | null | undefined): string | null => (text == null ? null : shortened(text));
