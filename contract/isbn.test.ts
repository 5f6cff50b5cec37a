import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIsbn, reasonAgainstIsbn } from './isbn.ts';

test('an ISBN is read as people, spreadsheets and web pages write it', () => {
  const forms = {
    '9780141439587': [
      ...['978-0-14-143958-7', ' 9780141439587 ', '978–0–14–143958–7', '0-14-143958-0', 'isbn 0 14 143958 0'],
      'ISBN-13: 978-0-14-143958-7',
    ],
    '9780804429573': ['0-8044-2957-X', '080442957x'],
    '9791090636071': ['979-10-90636-07-1'],
    '9780306406157': [
      ...['978\u20110\u2011306\u201140615\u20117', '\u200e978-0306406157', '978\u200b0306406157'],
      ...['978\u00a00\u00a0306\u00a040615\u00a07', '="9780306406157"', "'9780306406157", '9780306406157.0'],
      ...['９７８０３０６４０６１５７', 'urn:isbn:9780306406157', '[0306406152]', '(978-0-306-40615-7)'],
      ...['9780306406157 (pbk.)', '9780306406157, (pbk.)', '0306406152, 9780306406157'],
    ],
  };
  for (const [digits, texts] of Object.entries(forms)) {
    for (const text of texts) expect(readIsbn(text), text).toBe(digits);
  }
});

test('other numbers and words are no ISBN, and the reason against them fits', () => {
  for (const text of [
    // Wrong check digits, too few digits, a misplaced X, words, an empty text, and a very long text.
    ...[
      '978-0-14-143958-8',
      '0-14-143958-1',
      '0-14-143958-X',
      '978-0-14-143958',
      '0-8044-X957-2',
      'Emma',
      '',
    ],
    '9'.repeat(60_000),
  ]) {
    expect(readIsbn(text), text).toBeUndefined();
  }
  const reasons = {
    '306406152': 'A 0 is missing in front, which spreadsheets take away: write 0306406152.',
    '80442957X': 'A 0 is missing in front, which spreadsheets take away: write 080442957X.',
    '9.78031E+12': 'A spreadsheet has shortened it: make its column one of text.',
    '="9.78031E+12"': 'A spreadsheet has shortened it: make its column one of text.',
    '9780306406157; 9780141439587': 'These are several numbers: write one ISBN.',
    '9780306406157\n9780141439587': 'These are several numbers: write one ISBN.',
    '5012345678900': 'This is the number of something else:',
    '979-0-2600-0043-8': 'This is the number of something else:',
    '9780306406158': 'one of these may be mistyped',
  };
  for (const [text, reason] of Object.entries(reasons)) {
    expect(readIsbn(text), text).toBeUndefined();
    expect(reasonAgainstIsbn(text), text).toContain(reason);
  }
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
