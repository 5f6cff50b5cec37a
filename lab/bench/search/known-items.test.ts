import { expect, test } from 'vitest';
import { demoBooks } from '../../../server/demo/books.ts';
import { randomNumbers } from '../../../server/testing/random-numbers.ts';
import { kinds, makeKnownItems, makeTypo, plainWords } from './known-items.ts';

test('a typo is another word, and the first letter stays unless it is swapped', () => {
  const random = randomNumbers(1);
  // Random letters are often the same as the one that they replace.
  const words = ['aaaab', 'достоевскии', ...demoBooks.flatMap(({ title }) => plainWords(title))];

  for (const word of words.filter((word) => [...word].length >= 5)) {
    const typo = makeTypo(word, random);

    expect(typo).not.toBe(word);
    expect([word[0], word[1]], `${word}, ${typo}`).toContain(typo[0]);
    expect(/[a-z]/.test(typo), typo).toBe(/[a-z]/.test(word));
  }
});

test.each(kinds)(
  '%s: the same seed makes the same queries, more begin with them, and another seed makes others',
  (kind) => {
    const make = (seed: number, count: number) => makeKnownItems(demoBooks, kind, { seed, count });

    expect(make(1, 20)).toEqual(make(1, 30).slice(0, 20));
    expect(make(1, 20)).toHaveLength(20);
    expect(make(2, 20)).not.toEqual(make(1, 20));
  },
);

const guards = { title: 'Guards! Guards! (Discworld, #8)', author: 'Terry Pratchett, Paul Kidby' };

test('a query is what its kind says', () => {
  const queryOf = (kind: (typeof kinds)[number]) => makeKnownItems([guards], kind, { seed: 1, count: 5 });

  expect(queryOf('exact title')).toEqual([{ q: 'Guards! Guards!', wanted: new Set([0]) }]);
  expect(queryOf('half typed').map(({ q }) => q)).toEqual(['guards gua']);
  expect(queryOf('surname and a word of the title').map(({ q }) => q)).toEqual(['pratchett guards']);
  expect(queryOf('author with one typo')[0]?.q).toMatch(/^terry |pratchett$/);
  // Both words are the same.
  expect(queryOf('words in another order')).toEqual([]);
});

test('every edition of a book is wanted, and every book of a misspelt author', () => {
  const books = [guards, { ...guards, title: 'Guards! Guards!' }, { ...guards, title: 'Mort' }];
  const wanted = (kind: (typeof kinds)[number]) =>
    makeKnownItems(books, kind, { seed: 1, count: 3 }).map((item) => item.wanted.size);

  expect(wanted('exact title').sort()).toEqual([1, 2, 2]);
  expect(wanted('author with one typo')).toEqual([3, 3, 3]);
});
