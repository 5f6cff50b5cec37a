import { expect, test } from 'vitest';
import { hyphenateIsbn } from './hyphenate-isbn.ts';

test('an ISBN is shown with the hyphens of its group and publisher', () => {
  const shown = ['978-0-14-143958-7', '978-1-60309-057-5', '978-85-359-0277-8', '978-99965-300-0-5'];
  // The group of the last number is not assigned.
  for (const text of [...shown, '979-10-90636-07-1', '978-6699999990']) {
    expect(hyphenateIsbn(text.replaceAll('-', ''))).toBe(text);
  }
});
