/** The formats that the contract's bodies name. What is said of a value that is none stands in format-messages.ts. */

import type { Ajv } from 'ajv';
import { bookImage } from './catalogue/book-image.ts';
import { amountToCents } from './money.ts';

const isAmount = (amount: string | number) => amountToCents(amount) !== undefined;

/** Without control characters: PostgreSQL has no place for a NUL, and a title none for the others. */
const isLine = (text: string) => !/\p{Cc}/u.test(text);

/** @param storeOrigin see {@link bookImage}. */
export function addBodyFormats(ajv: Ajv, storeOrigin: string): void {
  ajv.addFormat('amount', { type: 'number', validate: isAmount });
  ajv.addFormat('amount-text', { type: 'string', validate: isAmount });
  ajv.addFormat('book-image', {
    type: 'string',
    validate: (image) => bookImage(image, storeOrigin) !== undefined,
  });
  ajv.addFormat('line', { type: 'string', validate: isLine });
}
