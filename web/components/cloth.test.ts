import { expect, test } from 'vitest';
import { clothOf } from './cloth.ts';

test('a title keeps its cloth from one release to the next', () => {
  expect([clothOf('Jane Eyre', 6), clothOf('Żółw', 6)]).toEqual([2, 4]);
});

test('titles of a shelf are spread over every cloth', () => {
  const cloths = Array.from({ length: 120 }, (_, number) => clothOf(`Volume ${number}`, 6));
  expect(new Set(cloths)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
