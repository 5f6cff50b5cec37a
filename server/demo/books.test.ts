import { expect, test } from 'vitest';
import { demoBooks } from './books.ts';
import { missingLetters } from './cover-designs/type-case.ts';

test('the demo shelf has at least four dozen books, each of them once', () => {
  const names = new Set(demoBooks.map(({ title, author }) => `${title}\n${author}`));

  expect(demoBooks.length).toBeGreaterThanOrEqual(48);
  expect(names.size).toBe(demoBooks.length);
});

test('prices are whole cents between 6.50 and 34.00', () => {
  for (const { title, priceCents } of demoBooks) {
    expect(Number.isInteger(priceCents), title).toBe(true);
    expect(priceCents, title).toBeGreaterThanOrEqual(650);
    expect(priceCents, title).toBeLessThanOrEqual(3400);
  }
});

test('titles and authors are trimmed and composed, so that they are found as they are typed', () => {
  for (const { title, author } of demoBooks) {
    for (const text of [title, author]) expect(text).toBe(text.normalize('NFC').trim());
  }
});

test('the fonts have every letter of every title and author', () => {
  for (const { title, author } of demoBooks) {
    for (const face of ['garamondSemibold', 'didone', 'jost', 'sofia'] as const) {
      expect(missingLetters(title + author, face), title).toEqual([]);
    }
  }
});
