import { expect, test } from 'vitest';
import { reasonOfPrice } from './wrong-texts.ts';

test.each([
  ['$12.50', '12.50'],
  ['12.50 €', '12.50'],
  ['12,50\u00a0€', '12.50'],
  ['EUR 5', '5'],
  ['99 kr.', '99'],
  ['12,5', '12.5'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ["1'234'567.00", '1234567.00'],
  ['1 234,50 zł', '1234.50'],
])('of %s, the reason says what to write', (price, amount) => {
  expect(reasonOfPrice(price)).toBe(
    `Write ${amount}: only digits and a decimal point, without currency or thousands separators.`,
  );
});

test.each(['twelve', '1.999', '1,234', '-5', '12.50.00', '5x', '€99,999,999.00', ''])(
  'of %s, nobody knows what is meant',
  (price) => {
    expect(reasonOfPrice(price)).toBe('Write an amount with at most two decimals, such as 12.99.');
  },
);

test.each(['12.99 / 9.99', '12.99; 9.99', '12,99 | 9,99', '$12.99 9.99', '12.99-15.99'])(
  '%s are two prices',
  (prices) => {
    expect(reasonOfPrice(prices)).toBe('These are several prices: write one.');
  },
);

test('a price as long as a row may be takes no time', () => {
  const startedAt = performance.now();

  reasonOfPrice(`1${' '.repeat(30_000)}x1`);

  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
