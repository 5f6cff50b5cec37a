import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIsbn, reasonAgainstIsbn } from './isbn.ts';

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
  ['978\u20110\u2011306\u201140615\u20117', '9780306406157'],
  ['\u200e978-0306406157', '9780306406157'],
  ['\u202a9780306406157\u202c', '9780306406157'],
  ['978\u200b0306406157', '9780306406157'],
  ['978\u00a00\u00a0306\u00a040615\u00a07', '9780306406157'],
  ['\ufeff9780306406157', '9780306406157'],
  ['="9780306406157"', '9780306406157'],
  ["'9780306406157", '9780306406157'],
  ['9780306406157.0', '9780306406157'],
  ['９７８０３０６４０６１５７', '9780306406157'],
  ['urn:isbn:9780306406157', '9780306406157'],
  ['[0306406152]', '9780306406157'],
  ['(978-0-306-40615-7)', '9780306406157'],
  ['9780306406157 (pbk.)', '9780306406157'],
  ['9780306406157, (pbk.)', '9780306406157'],
  ['0306406152, 9780306406157', '9780306406157'],
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
  ['a zero too few', '306406152'],
  ['two of them', '9780306406157; 9780141439587'],
  ['a very long text', '9'.repeat(60_000)],
])('%s is none: %j', (_, text) => {
  expect(readIsbn(text)).toBeUndefined();
});

test.each([
  ['306406152', 'A 0 is missing in front, which spreadsheets take away: write 0306406152.'],
  ['80442957X', 'A 0 is missing in front, which spreadsheets take away: write 080442957X.'],
  ['9.78031E+12', 'A spreadsheet has shortened it: make its column one of text.'],
  ['="9.78031E+12"', 'A spreadsheet has shortened it: make its column one of text.'],
  ['9780306406157; 9780141439587', 'These are several numbers: write one ISBN.'],
  ['9780306406157\n9780141439587', 'These are several numbers: write one ISBN.'],
  ['5012345678900', 'This is the number of something else:'],
  ['9790260000438', 'This is the number of something else:'],
  ['9780306406158', 'one of these may be mistyped'],
])('the reason against %j fits', (text, reason) => {
  expect(readIsbn(text)).toBeUndefined();
  expect(reasonAgainstIsbn(text)).toContain(reason);
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
