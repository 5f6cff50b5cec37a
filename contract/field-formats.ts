/** The formats of what clients send: for each one its schema, its check, and the message for a value that fails it. */

import { Type } from 'typebox';
import { normalizeBookImage } from './image-address.ts';
import { amountToCents } from './money.ts';

export type Format = {
  type: 'string' | 'number';
  /** @param storeOrigin the store's own origin, which a book's image may name. */
  check(value: string | number, storeOrigin: string): boolean;
  /** The error message for the field. */
  message: string;
};

const isAmount = (value: string | number): boolean => amountToCents(value) !== undefined;
const amountMessage = 'Write an amount with at most two decimals, such as 12.99.';

/** By name, the value of a schema's `format`. */
export const formats: Readonly<Record<string, Format>> = {
  amount: { type: 'number', check: isAmount, message: amountMessage },
  'amount-text': { type: 'string', check: isAmount, message: amountMessage },
  'book-image': {
    type: 'string',
    check: (value, storeOrigin) => normalizeBookImage(String(value), storeOrigin) !== undefined,
    message: 'Must be an https: address or an image uploaded to the store.',
  },
  line: {
    type: 'string',
    // PostgreSQL cannot store a NUL, and no other control character belongs in a title.
    check: (value) => !/\p{Cc}/u.test(String(value)),
    message: 'Must not hold control characters.',
  },
};

const amountRule = 'not negative, at most two decimals, such as 12.99';

/** An amount of money as a number. */
export const Amount = (description = amountRule) =>
  Type.Number({ format: 'amount', description: `Format amount: ${description}.` });

/** An amount of money as text. */
export const AmountText = () =>
  Type.String({ format: 'amount-text', description: `Format amount-text: ${amountRule}, as text.` });

/** The image of a book. */
export const BookImage = () =>
  Type.String({
    format: 'book-image',
    maxLength: 2000,
    description:
      'Format book-image: an https: address, or the display_url of an image uploaded to the store.',
  });

/** One line of text that is not blank. @param maxLength in characters. */
export const Line = (maxLength: number) =>
  Type.String({
    format: 'line',
    minLength: 1,
    maxLength,
    pattern: '\\S',
    description: 'Format line: not blank, without control characters.',
  });
