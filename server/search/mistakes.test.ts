import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMistakes, mistakesBetween, mistakesIn } from './mistakes.ts';

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

test('words with too many mistakes for their length are not alike, and all others are', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const mistakes = countMistakes(one, other);
      const areAlike = mistakes <= mistakesIn(Math.max(one.length, other.length));
      expect(mistakesBetween(one, other)).toBe(areAlike ? mistakes : undefined);
    }),
    { numRuns: 5_000 },
  );
});
