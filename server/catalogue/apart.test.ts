import { expect, test } from 'vitest';
import { designOf, drawingOf } from '../../contract/drawn-cover.ts';
import { apart } from './apart.ts';

const idsOf = (design: number, count: number) =>
  Array.from({ length: 500 }, (_, index) => `book-${index}`)
    .filter((id) => designOf(drawingOf(id)) === design)
    .slice(0, count);
const drawn = (ids: readonly string[]) => ids.map((id) => ({ id, image: '' }));

test('two drawn covers of a design stand apart, the order stays otherwise, and pictures stand anywhere', () => {
  const [[a, b, c], [x, y]] = [drawn(idsOf(0, 3)), drawn(idsOf(1, 2))];

  expect(apart([a, b, x, c, y].flatMap((book) => book ?? []))).toEqual([a, x, b, y, c]);
  expect(apart([x, a, y].flatMap((book) => book ?? []))).toEqual([x, a, y]);
  // No other book can go between these two.
  expect(apart([x, a, b].flatMap((book) => book ?? []))).toEqual([x, a, b]);
  const pictures = idsOf(0, 3).map((id) => ({ id, image: 'https://covers.example/1.png' }));
  expect(apart(pictures)).toEqual(pictures);
});
