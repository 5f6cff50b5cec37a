/** The formats of what clients send: for each one its schema, its check, and the message for a value that fails it. */

import { Type } from 'typebox';
import { readLanguage, readPublished } from './book-fields.ts';
import { normalizeBookImage, reasonAgainstBookImage } from './book-image.ts';
import { readIsbn, reasonAgainstIsbn } from './isbn.ts';
import { amountToCents } from './money.ts';
import { seenPattern, tidyText, tidyValue } from './pasted-text.ts';
import type { Money } from './price.ts';
import { isDay } from './shop-days.ts';

type Format = {
  type: 'string' | 'number';
  /** @param storeOrigin the store's own origin, which a book's image may name. @param money undefined: an amount may have a fraction. */
  check(value: string | number, storeOrigin: string, money?: Money): boolean;
  message(value: string): string;
};

/** Refused characters: an unpaired surrogate would come back changed, and PostgreSQL stores no NUL. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Separators of lines and marks of the writing direction (Unicode Standard Annex 9, section 2) can reorder the text beside them. */
export const isCleanText = (text: string): boolean =>
  isStorableText(text) && !/[\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(text);

const isAmount: Format['check'] = (value, _, money) => {
  const cents = amountToCents(value);
  return cents !== undefined && (money?.has(cents) ?? true);
};
const controlCharactersMessage = () => 'Must be text without control characters.';
const amountMessage = (value: string) =>
  amountToCents(value) === undefined
    ? 'Write an amount with at most two decimals, such as 12.99.'
    : 'Write an amount without decimals: the store’s currency has none.';

const ofText = (
  check: (text: string, storeOrigin: string, money?: Money) => boolean,
  message: Format['message'],
): Format => ({
  type: 'string',
  check: (value, ...store) => check(String(value), ...store),
  message,
});

/** The format of a text that may be empty. */
const ofValue = (read: (text: string) => unknown, message: Format['message']): Format =>
  ofText((text) => tidyValue(text) === '' || read(tidyValue(text)) !== undefined, message);

const line = ofText((text) => isCleanText(tidyText(text)), controlCharactersMessage);

export const formats: Readonly<Record<string, Format>> = {
  amount: { type: 'number', check: isAmount, message: amountMessage },
  'amount-text': ofText(isAmount, amountMessage),
  'book-image': ofText(
    (text, storeOrigin) =>
      isCleanText(tidyValue(text)) && normalizeBookImage(text, storeOrigin) !== undefined,
    reasonAgainstBookImage,
  ),
  day: ofText(isDay, () => 'Write a day such as 2026-11-21.'),
  isbn: ofValue(readIsbn, reasonAgainstIsbn),
  language: ofValue(readLanguage, () => 'Write a language tag such as en or pt-BR.'),
  line,
  lines: ofText(
    (text) => text.split(/\r\n?|\n/).every((one) => line.check(one, '')),
    controlCharactersMessage,
  ),
  published: ofValue(readPublished, () => 'Write a year such as 1851, or a day such as 1851-10-18.'),
  term: ofText(isStorableText, controlCharactersMessage),
};

const amountRule = 'not negative, at most two decimals, such as 12.99';
export const Amount = (description = amountRule) =>
  Type.Number({ format: 'amount', description: `Format amount: ${description}.` });
export const AmountText = (description = 'Format amount-text') =>
  Type.String({ format: 'amount-text', description: `${description}: ${amountRule}, as text.` });

/** A price is wrapped (spec, section 3), and may be a text. */
export const GivenPrice = () =>
  Type.Object({ value: Type.Union([AmountText(), Amount()]) }, { description: `The price: ${amountRule}.` });

export const Day = (description: string) => Type.String({ format: 'day', description });

export const BookImage = (maxLength: number) =>
  Type.String({
    format: 'book-image',
    maxLength,
    description:
      'Format book-image: an https: address, or the display_url of an image uploaded to the store.',
  });

export const Line = (maxLength: number, description = '') =>
  Type.String({
    format: 'line',
    minLength: 1,
    maxLength,
    pattern: seenPattern,
    description: `${description} Format line: not blank, without control characters.`.trim(),
  });

export const OptionalText = (
  format: 'line' | 'lines' | 'isbn' | 'language' | 'published',
  { maxLength, description }: { maxLength: number; description: string },
) => Type.String({ format, maxLength, description: `${description} Format ${format}, or empty: none.` });

/** Titles that older versions accepted may set the writing direction: such books can still be ordered. */
export const Term = ({ maxLength, description = '' }: { maxLength?: number; description?: string } = {}) =>
  Type.String({
    format: 'term',
    minLength: 1,
    ...(maxLength !== undefined && { maxLength }),
    description: `${description} Format term: without control characters.`.trim(),
  });
