/** The formats that the contract's bodies name, and what is said of a value that is none. */

import type { Ajv } from 'ajv';
import { bookImage } from './catalogue/book-image.ts';
import { amountToCents } from './money.ts';

const isAmount = (amount: string | number) => amountToCents(amount) !== undefined;

/** @param storeOrigin see {@link bookImage}. */
export function addBodyFormats(ajv: Ajv, storeOrigin: string): void {
  ajv.addFormat('amount', { type: 'number', validate: isAmount });
  ajv.addFormat('amount-text', { type: 'string', validate: isAmount });
  ajv.addFormat('book-image', {
    type: 'string',
    validate: (image) => bookImage(image, storeOrigin) !== undefined,
  });
}

const amountMessage = 'Write an amount with at most two decimals, such as 12.99.';

export const formatMessages: Readonly<Record<string, string>> = {
  amount: amountMessage,
  'amount-text': amountMessage,
  'book-image': 'Must be an https: address or an image uploaded to the store.',
};
