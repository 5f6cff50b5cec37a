import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountToCents, centsToAmount, maxCents } from './money.ts';

test('every amount of cents stays the same when it is written as a number or as text and read again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: maxCents }), (cents) => {
      expect(amountToCents(centsToAmount(cents))).toBe(cents);
      expect(amountToCents((cents / 100).toFixed(2))).toBe(cents);
    }),
  );
});

test('an amount has at most two decimals, and no other signs', () => {
  const amounts = ['12.99', ' 12.9 ', '0', '\u200e12.99\u00a0', '="12.99"', "'12.99", '007', 19.99, -0];
  expect(amounts.map(amountToCents)).toEqual([1299, 1290, 0, 1299, 1299, 1299, 700, 1999, 0]);
  expect(['4,90', '4,9'].map(amountToCents)).toEqual([490, 490]);
  const others = [
    '12.99 9.99',
    '.5',
    '5,',
    '1,000',
    '1.0,0',
    '+1',
    '0x10',
    0.1 + 0.2,
    Number.NaN,
    1 / 0,
    10_000_000,
  ];
  for (const amount of others) expect(amountToCents(amount), `${amount}`).toBeUndefined();
});
