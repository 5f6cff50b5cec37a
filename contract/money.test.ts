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

test.each([
  ['12.99', 1299],
  [' 12.9 ', 1290],
  ['0', 0],
  ['\u200e12.99\u00a0', 1299],
  ['="12.99"', 1299],
  ["'12.99", 1299],
  ['12.99 9.99', undefined],
  ['007', 700],
  [0.1 + 0.2, undefined],
  [19.99, 1999],
  [-0, 0],
  ['.5', undefined],
  ['5.', undefined],
  ['1,000', undefined],
  ['+1', undefined],
  ['0x10', undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [10_000_000, undefined],
])('%j is %j cents', (amount, cents) => {
  expect(amountToCents(amount)).toBe(cents);
});
