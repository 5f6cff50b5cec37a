import { expect, test } from 'vitest';
import { subjectsOf } from './subjects.ts';

test.each([
  ['Novels, Russian  classics', ['Novels', 'Russian classics']],
  ['Novels; Crime,, Novels,', ['Novels', 'Crime']],
  ['Novels (War and Peace, Leo Tolstoy), Russia', ['Novels', 'Russia']],
  ['(The Metamorphosis)', []],
  [`Novels, ${'long'.repeat(16)}`, ['Novels']],
  ['War and Peace Leo Tolstoy, Novels of the war', ['Novels of the war']],
  ['', []],
  [null, []],
])('the subjects of %j are %j', (keywords, subjects) => {
  expect(subjectsOf(keywords)).toEqual(subjects);
});
