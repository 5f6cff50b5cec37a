import { expect, test } from 'vitest';
import { hyphenateIsbn } from './hyphenate-isbn.ts';

test.each([
  ['9780141439587', '978-0-14-143958-7'],
  ['9781603090575', '978-1-60309-057-5'],
  ['9783161484100', '978-3-16-148410-0'],
  ['9788535902778', '978-85-359-0277-8'],
  ['9789996530005', '978-99965-300-0-5'],
  ['9791090636071', '979-10-90636-07-1'],
  // No agency has given out its group.
  ['9786699999990', '978-6699999990'],
])('%s is shown as %s', (isbn, shown) => {
  expect(hyphenateIsbn(isbn)).toBe(shown);
});
