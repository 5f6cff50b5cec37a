import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMistakes, mistakesBetween, mistakesIn } from './mistakes.ts';

test('mistakes are counted the same from either word', () => {
  const pairs: [string, string, number][] = [
    ['emma', 'emma', 0],
    ['', 'emma', 4],
    ['eyre', 'yre', 1],
    ['eyre', 'eire', 1],
    ['eyre', 'yere', 1],
    ['abc', 'cbd', 2],
    ['abcd', 'bace', 2],
    ['kitten', 'sitting', 3],
  ];
  expect(pairs.map(([one, other]) => [one, other, countMistakes(one, other)])).toEqual(pairs);
  expect(pairs.map(([one, other]) => [one, other, countMistakes(other, one)])).toEqual(pairs);
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
