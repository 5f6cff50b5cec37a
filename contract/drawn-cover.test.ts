import { expect, test } from 'vitest';
import { drawCover, drawingOf } from './drawn-cover.ts';

const count = 8056;

/** @returns eight hexadecimal digits, other ones for each number. */
const scramble = (number: number): string =>
  (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');

const numbers = Array.from({ length: count }, (_, number) => number);
/** Ids such as the store makes, and those of an import that counts its books. */
const idsByKind = {
  made: numbers.map((number) => `${scramble(number)}-5b0a-4c1e-9d4e-2f8a${scramble(number + count)}`),
  counted: numbers.map((number) => `${number + 1}`),
};

const by = (keyOf: (number: number) => string): number[] =>
  numbers.toSorted((first, second) => (keyOf(first) < keyOf(second) ? -1 : 1));

const orders = {
  newest: numbers.toReversed(),
  title: by((number) => scramble(number * 7)),
  price: by((number) => `${scramble(number * 31).slice(-2)}${scramble(number)}`),
  search: numbers.filter((number) => number % 13 === 5),
};

const looks = (id: string): string => {
  const { design, palette } = drawCover(drawingOf(id));
  return `${design} in ${palette}`;
};

test('a book keeps its cover from one release to the next', () => {
  const books = ['0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43', '1', '2'];
  expect(books.map(looks)).toEqual(['0 in 6', '5 in 0', '0 in 0']);
  expect(drawCover(7)).toEqual(drawCover(7));
});

test('at most 3 % of neighbours look alike, whatever ids they have and how they are sorted', () => {
  for (const [kind, ids] of Object.entries(idsByKind)) {
    for (const [order, shelf] of Object.entries(orders)) {
      const shown = shelf.map((number) => looks(ids[number] ?? ''));

      const alike = shown.filter((look, place) => look === shown[place - 1]).length;

      expect(alike / shown.length, `${kind} by ${order}`).toBeLessThan(0.03);
      expect(new Set(shown).size).toBe(64);
    }
  }
});
