import { expect, test } from 'vitest';
import { clothOf } from './cloth.ts';

test('a title keeps its cloth', () => {
  expect(clothOf('Jane Eyre', 6)).toBe(clothOf('Jane Eyre', 6));
});

test('titles of a shelf are spread over every cloth', () => {
  const cloths = Array.from({ length: 120 }, (_, number) => clothOf(`Volume ${number}`, 6));
  expect(new Set(cloths)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
