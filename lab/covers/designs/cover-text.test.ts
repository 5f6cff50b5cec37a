import { expect, test } from 'vitest';
import { coverText } from './cover-text.ts';

test.each([
  ['Moby-Dick; or, The Whale', 'Moby-Dick', 'or, The Whale'],
  ['R.U.R. (Rossum’s Universal Robots)', 'R.U.R.', 'Rossum’s Universal Robots'],
  ['Walden: A Fully Annotated Edition', 'Walden', 'A Fully Annotated Edition'],
  [
    'The Narrative of Olaudah Equiano, or Gustavus Vassa',
    'The Narrative of Olaudah Equiano',
    'or Gustavus Vassa',
  ],
  ['Three Lives', 'Three Lives', ''],
])('the subtitle of %s is separate from the title', (title, main, subtitle) => {
  expect(coverText({ title, author: '' })).toMatchObject({ title: main, subtitle });
});

test('a list of authors that is too long ends with "and others"', () => {
  const { credit } = coverText({
    title: '',
    author: 'Ada Lovelace, Charles Babbage, Mary Somerville and Augustus De Morgan',
  });

  expect(credit).toBe('Ada Lovelace, Charles Babbage and others');
});

test('a single name that is too long is cut', () => {
  const { credit } = coverText({ title: '', author: `${'Maria '.repeat(20)}Curie` });

  expect(credit).toMatch(/^(Maria ?)+…$/);
  expect(credit.length).toBeLessThan(50);
});
