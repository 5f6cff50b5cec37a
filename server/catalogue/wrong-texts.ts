import type { BookField } from '../../contract/book-fields.ts';
import { formats } from '../../contract/field-formats.ts';
import type { Money } from '../../contract/price.ts';

/**
 * Checks the text of a field as people write it: in a cell of a file, or as an option of a command.
 * @param given as it was written. The address of an image may be one that only its reader knows to be wrong.
 * @returns a sentence for the owner; undefined for a text that is right.
 */
export function reasonAgainst(field: BookField, given: string, money?: Money): string | undefined {
  const { kind, isOptional, limits, maxLength } = field;
  const text = field.tidy(given);
  if (text === '') return isOptional ? undefined : 'Must not be empty.';
  if (limits) {
    const { minimum, maximum } = limits;
    const empty = kind === 'count' ? ', or leave it empty: any number' : '';
    return field.read(text, '') === undefined
      ? `Write a whole number from ${minimum} to ${maximum.toLocaleString('en')}${empty}.`
      : undefined;
  }
  const format = formats[kind === 'price' ? 'amount-text' : kind];
  if (kind !== 'image' && !format?.check(text, '', money)) return format?.message(text);
  // A character may take two code units of the string.
  const isTooLong = text.length > maxLength && [...text].length > maxLength;
  return isTooLong ? `Must not be longer than ${maxLength} characters.` : undefined;
}
