import { expect, test } from 'vitest';
import { subjectsOf } from './subjects.ts';

test('subjects are the short parts of keywords, without what is in brackets', () => {
  const keywords = {
    'Novels, Russian  classics': ['Novels', 'Russian classics'],
    'Novels; Crime,, Novels,': ['Novels', 'Crime'],
    'Novels (War and Peace, Leo Tolstoy), Russia': ['Novels', 'Russia'],
    '(The Metamorphosis)': [],
    [`Novels, ${'long'.repeat(16)}`]: ['Novels'],
    'War and Peace Leo Tolstoy, Novels of the war': ['Novels of the war'],
    '': [],
  };
  const found = Object.keys(keywords).map((text) => [text, subjectsOf(text)]);
  expect(Object.fromEntries(found)).toEqual(keywords);
  expect(subjectsOf(null)).toEqual([]);
});
