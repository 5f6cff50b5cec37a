/** Checks the text of a field as people write it: in a cell of a file, or as an option of a command. */

import { type BookField, maxCopies } from '../../contract/book-fields.ts';
import { formats } from '../../contract/field-formats.ts';
import { amountToCents } from '../../contract/money.ts';

/**
 * @param given as it was written. The address of an image may be one that only its reader knows to be wrong.
 * @returns a sentence for the owner; undefined for a text that is right.
 */
export function reasonAgainst(field: BookField, given: string): string | undefined {
  const { kind, isOptional, maxLength } = field;
  const text = field.tidy(given);
  if (text === '') return isOptional ? undefined : 'Must not be empty.';
  if (kind === 'count')
    return field.read(text, '') === undefined
      ? `Write a whole number from 0 to ${maxCopies.toLocaleString('en')}, or leave it empty: any number.`
      : undefined;
  if (kind === 'price') return amountToCents(text) === undefined ? reasonOfPrice(text) : undefined;
  if (kind !== 'image' && !formats[kind]?.check(text, '')) return formats[kind]?.message(text);
  // A character may take two units of the string.
  const isTooLong = text.length > maxLength && [...text].length > maxLength;
  return isTooLong ? `Must not be longer than ${maxLength} characters.` : undefined;
}

/** @returns what to write in place of a price that is written otherwise, such as `$12.50`, `12,50 €` or `1.234,50`. */
export function reasonOfPrice(price: string): string {
  const amount = amountIn(price);
  if (amount === undefined)
    return twoAmounts.test(price.slice(0, maxLength))
      ? 'These are several prices: write one.'
      : (formats['amount']?.message(price) ?? '');
  return `Write ${amount}: only digits and a decimal point, without currency or thousands separators.`;
}

const currencies = /^(?:\p{Sc}|\p{L}{2,4}\.?)\s*|\s*(?:\p{Sc}|\p{L}{2,4}\.?)$/gu;
const number =
  /^(?<whole>\d+|\d{1,3}(?:(?<separator>[\s'’.,])\d{3})(?:\k<separator>\d{3})*)(?:(?<point>[.,])(?<decimals>\d{1,2}))?$/u;

const twoAmounts = /\d[.,]\d{1,2}\P{N}*[\s;|/,–-]\P{N}*\d+(?:[.,]\d{1,2})?\P{N}*$/u;

/** A longer text is no amount, and the patterns would take seconds for one of the longest that a row may have. */
const maxLength = 50;

function amountIn(price: string): string | undefined {
  if (price.length > maxLength) return undefined;
  const groups = number.exec(price.trim().replace(currencies, ''))?.groups;
  if (!groups) return undefined;
  const { whole = '', separator, point, decimals } = groups;
  // `1.234` may also have three decimals.
  if (
    separator !== undefined &&
    (separator === point || (point === undefined && /^\d+[.,]\d+$/.test(whole)))
  ) {
    return undefined;
  }
  const digits = whole.replace(/\D/g, '');
  const amount = decimals === undefined ? digits : `${digits}.${decimals}`;
  return amountToCents(amount) === undefined ? undefined : amount;
}
