import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { epcCode, epcText } from './transfer.ts';

test('the code for banking apps has the bytes of the guideline’s example', () => {
  // EPC069-12, section 2.3, the second example. Its third line is 2, for ISO 8859-1; the store writes UTF-8, which is 1.
  const example = [
    ...['BCD', '002', '2', 'SCT', '', "François D'Alsace S.A."],
    ...['FR1420041010050500013M02606', 'EUR12.3', '', '', 'Client:Marie Louise La Lune'],
  ].join('\n');
  const account = { iban: 'FR1420041010050500013M02606', name: "François D'Alsace S.A." };
  const text = epcText(account, 1230, 'Client:Marie Louise La Lune');

  expect(Buffer.from(text)).toEqual(Buffer.from(example.replace('\n2\n', '\n1\n')));
  expect(
    epcText({ ...account, bic: 'PSSTFRPP' }, 1299, 'K7M3PQRT')
      .split('\n')
      .slice(4),
  ).toEqual([...['PSSTFRPP', account.name, account.iban, 'EUR12.99', '', '', 'K7M3PQRT']]);
});

test('the longest transfer fits the largest code that banking apps need to read', () => {
  const account = { iban: 'FR1420041010050500013M02606', name: 'é'.repeat(70), bic: 'PSSTFRPPXXX' };
  const text = epcText(account, 999_999_999, 'K7M3PQRT');

  expect(encode(text, { ecc: 'M', maxVersion: 13 }).version).toBeLessThanOrEqual(13);
  expect(epcCode(text)).toMatch(/^<svg shape-rendering="crispEdges" [^>]*viewBox="0 0 \d+ \d+">/);
});
