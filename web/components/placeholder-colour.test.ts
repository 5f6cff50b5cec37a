import { expect, test } from 'vitest';
import { placeholderColour } from './placeholder-colour.ts';

test('a title keeps its cloth from one release to the next', () => {
  expect([placeholderColour('Jane Eyre', 6), placeholderColour('Żółw', 6)]).toEqual([2, 4]);
});

test('titles of a shelf are spread over every cloth', () => {
  const placeholders = Array.from({ length: 120 }, (_, number) => placeholderColour(`Volume ${number}`, 6));
  expect(new Set(placeholders)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
