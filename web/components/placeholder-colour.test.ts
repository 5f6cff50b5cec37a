import { expect, test } from 'vitest';
import { placeholderColour } from './placeholder-colour.ts';

test('a title keeps its colour from one release to the next', () => {
  expect([placeholderColour('Jane Eyre', 6), placeholderColour('Żółw', 6)]).toEqual([2, 4]);
});

test('the titles of a shelf are spread over all colours', () => {
  const colours = Array.from({ length: 120 }, (_, number) => placeholderColour(`Volume ${number}`, 6));
  expect(new Set(colours)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
