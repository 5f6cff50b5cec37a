import { expect, test } from 'vitest';
import { formatPrice } from './price.ts';

test('a price has a dollar sign, two decimals and grouped thousands', () => {
  expect(formatPrice(12.99)).toBe('$12.99');
  expect(formatPrice(7.5)).toBe('$7.50');
  expect(formatPrice(0)).toBe('$0.00');
  expect(formatPrice(1234567)).toBe('$1,234,567.00');
});
