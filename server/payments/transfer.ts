import { renderSVG } from 'uqr';
import { centsToAmount } from '../../contract/money.ts';
import type { Transfer } from '../../contract/transfer.ts';
import { type StoredOrder, totalCents } from '../orders/orders.ts';
import type { Settings } from '../settings/settings.ts';

export type Account = NonNullable<Settings['transfer']>;

export const transferOf = (account: Account, order: StoredOrder): Transfer => {
  const { currency, number: reference } = order;
  const cents = totalCents(order);
  return {
    ...{ ...account, amount: centsToAmount(cents), currency, reference },
    ...(currency === 'EUR' && { text: epcText(account, cents, reference) }),
  };
};

/**
 * The content of the code that banking apps read: EPC069-12, version 002, in UTF-8. @param account the payee. @param cents in euros.
 * @param reference for the payee's statement.
 */
export const epcText = ({ iban, name, bic = '' }: Account, cents: number, reference: string): string =>
  ['BCD', '002', '1', 'SCT', bic, name, iban, `EUR${cents / 100}`, '', '', reference].join('\n');

/** @returns an SVG with the error correction and the largest size of EPC069-12, and the margin of ISO 18004. */
export const epcCode = (text: string): string =>
  renderSVG(text, { ecc: 'M', maxVersion: 13, border: 4, pixelSize: 1 })
    // Otherwise fine lines would be drawn between the squares of the code.
    .replace('<svg ', '<svg shape-rendering="crispEdges" ');
