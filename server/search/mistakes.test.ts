import { expect, test } from 'vitest';
import { countMistakes } from './mistakes.ts';

test.each([
  ['emma', 'emma', 0],
  ['', 'emma', 4],
  ['eyre', 'yre', 1],
  ['eyre', 'eyrre', 1],
  ['eyre', 'eire', 1],
  ['eyre', 'yere', 1],
  ['abc', 'cbd', 2],
  ['abcd', 'bace', 2],
  ['kitten', 'sitting', 3],
])('%s and %s are %d mistakes apart', (one, other, mistakes) => {
  expect([countMistakes(one, other), countMistakes(other, one)]).toEqual([mistakes, mistakes]);
});
