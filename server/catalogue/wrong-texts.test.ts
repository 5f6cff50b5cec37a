import { expect, test } from 'vitest';
import { reasonOfPrice } from './wrong-texts.ts';

test('the reason against a price says what to write, where that is known', () => {
  const write = (amount: string) =>
    `Write ${amount}: only digits and a decimal point, without currency or thousands separators.`;
  const unknown = 'Write an amount with at most two decimals, such as 12.99.';
  const several = 'These are several prices: write one.';
  const reasons = {
    ...{ '$12.50': write('12.50'), '12,50\u00a0€': write('12.50'), 'EUR 5': write('5') },
    ...{ '99 kr.': write('99'), '12,5': write('12.5'), '1.234,50': write('1234.50') },
    ...{ "1'234'567.00": write('1234567.00'), '1 234,50 zł': write('1234.50'), '1,234.50': write('1234.50') },
    ...{ twelve: unknown, '1.999': unknown, '1,234': unknown, '-5': unknown, '12.50.00': unknown },
    ...{ '5x': unknown, '€99,999,999.00': unknown, '': unknown },
    ...{ '12.99 / 9.99': several, '12.99; 9.99': several, '12,99 | 9,99': several, '$12.99 9.99': several },
  };
  const found = Object.keys(reasons).map((price) => [price, reasonOfPrice(price)]);
  expect(Object.fromEntries(found)).toEqual(reasons);
});

test('a price as long as a row may be takes no time', () => {
  const startedAt = performance.now();

  reasonOfPrice(`1${' '.repeat(30_000)}x1`);

  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
