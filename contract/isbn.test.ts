import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIsbn } from './isbn.ts';

test.each([
  ['978-0-14-143958-7', '9780141439587'],
  [' 9780141439587 ', '9780141439587'],
  ['978 0141439587', '9780141439587'],
  ['978–0–14–143958–7', '9780141439587'],
  ['0-14-143958-0', '9780141439587'],
  ['ISBN-13: 978-0-14-143958-7', '9780141439587'],
  ['isbn 0 14 143958 0', '9780141439587'],
  ['0-8044-2957-X', '9780804429573'],
  ['080442957x', '9780804429573'],
  ['979-10-90636-07-1', '9791090636071'],
])('%j is an ISBN', (text, digits) => {
  expect(readIsbn(text)).toBe(digits);
});

test.each([
  ['a wrong check digit', '978-0-14-143958-8'],
  ['a wrong check digit of ten', '0-14-143958-1'],
  ['another check digit of ten', '0-14-143958-X'],
  ['a number of music', '979-0-2600-0043-8'],
  ['another product', '4006381333931'],
  ['too few digits', '978-0-14-143958'],
  ['an X among the digits', '0-8044-X957-2'],
  ['words', 'Emma'],
  ['nothing', ''],
])('%s is none: %j', (_, text) => {
  expect(readIsbn(text)).toBeUndefined();
});

test('one wrong digit, and two neighbours of ten in the wrong order, are noticed', () => {
  const isbn10 = '0141439580';
  fc.assert(
    fc.property(fc.nat(9), fc.integer({ min: 1, max: 9 }), (place, change) => {
      const digits = [...isbn10];
      digits[place] = String((Number(digits[place]) + change) % 10);
      expect(readIsbn(digits.join(''))).toBeUndefined();
      const swapped = [...isbn10];
      [swapped[place], swapped[place - 1]] = [swapped[place - 1] ?? '', swapped[place] ?? ''];
      if (place > 0 && isbn10[place] !== isbn10[place - 1])
        expect(readIsbn(swapped.join(''))).toBeUndefined();
    }),
  );
});
