import { expect, test } from 'vitest';
import { moneyIn } from './price.ts';

test('a price has its currency’s narrow symbol or its code before it, grouped thousands, and the decimals of the currency', () => {
  const amounts = [1234567, 12.9, 0];
  const written = ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'HUF'].map((code) => amounts.map(moneyIn(code).format));

  expect(written).toEqual([
    ['$1,234,567.00', '$12.90', '$0.00'],
    ['€1,234,567.00', '€12.90', '€0.00'],
    ['£1,234,567.00', '£12.90', '£0.00'],
    ['¥1,234,567', '¥13', '¥0'],
    ['CHF 1,234,567.00', 'CHF 12.90', 'CHF 0.00'],
    ['Ft 1,234,567.00', 'Ft 12.90', 'Ft 0.00'],
  ]);
  expect([moneyIn('USD').named('Price'), moneyIn('CHF').named('Price')]).toEqual([
    'Price ($)',
    'Price (CHF)',
  ]);
  expect([moneyIn('EUR').write(12.9), moneyIn('JPY').write(1300)]).toEqual(['12.90', '1300']);
});
