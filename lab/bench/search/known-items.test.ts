import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomNumbers } from '../figures.ts';
import { figuresOf } from './figures.ts';
import { kinds, makeKnownItems, makeTypo, plainWords, withoutSeries } from './known-items.ts';
import { readBookSet, readCsv } from './real-books.ts';
import { listMisses } from './report.ts';

const { books } = readBookSet(join(import.meta.dirname, 'books.tsv'));
const numberOf = (title: string): number => books.findIndex((book) => book.title === title);

/** How many mistakes there are between two words: letters missing, superfluous, other, or two that are swapped. */
function mistakesBetween(one: string, other: string): number {
  const from = [...one];
  const to = [...other];
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}

test('a typo changes the word by one mistake, and not its first letter alone', () => {
  const random = randomNumbers(1);
  const words = books.flatMap(({ title }) => plainWords(title)).filter((word) => [...word].length >= 5);
  // Random letters are often the same as the one that they replace.
  const repetitive = Array.from({ length: 500 }, () => 'aaaab');

  for (const word of [...words, ...repetitive]) {
    const typo = makeTypo(word, random);

    expect(typo).not.toBe(word);
    expect(mistakesBetween(word, typo), `${word}, ${typo}`).toBe(1);
    expect([...typo].slice(1).join(''), `${word}, ${typo}`).not.toBe([...word].slice(1).join(''));
  }
});

test('a typo has letters of the script of the word', () => {
  const random = randomNumbers(1);

  const typos = Array.from({ length: 200 }, () => makeTypo('достоевскии', random));

  expect(typos.filter((typo) => !/^\p{Script=Cyrillic}+$/u.test(typo))).toEqual([]);
});

test.each(kinds)('%s: the same seed makes the same queries, and another seed others', (kind) => {
  const make = (seed: number) => makeKnownItems(books, kind, { seed, count: 50 });

  expect(make(1)).toEqual(make(1));
  expect(make(1)).toHaveLength(50);
  expect(make(2).map(({ q }) => q)).not.toEqual(make(1).map(({ q }) => q));
});

test.each(kinds)('%s: more queries begin with the same ones', (kind) => {
  const few = makeKnownItems(books, kind, { seed: 1, count: 20 });
  const many = makeKnownItems(books, kind, { seed: 1, count: 40 });

  expect(many.slice(0, 20)).toEqual(few);
});

const one = [{ title: 'Guards! Guards! (Discworld, #8)', author: 'Terry Pratchett, Paul Kidby' }];
const queryOf = (kind: (typeof kinds)[number]) => makeKnownItems(one, kind, { seed: 1, count: 5 });

test('a query is what the kind says', () => {
  expect(queryOf('exact title')).toEqual([{ q: 'Guards! Guards!', wanted: new Set([0]) }]);
  expect(queryOf('half typed').map(({ q }) => q)).toEqual(['guards gua']);
  expect(queryOf('surname and a word of the title').map(({ q }) => q)).toEqual(['pratchett guards']);
  expect(
    queryOf('title with one typo')[0]
      ?.q.split(' ')
      .filter((word) => word === 'guards'),
  ).toHaveLength(1);
  expect(queryOf('author with one typo')[0]?.q).toMatch(/^terry |pratchett$/);
});

test('a title of one word has no other order, and is not half typed', () => {
  // Both words are the same.
  expect(queryOf('words in another order')).toEqual([]);
  expect(
    makeKnownItems([{ title: 'Mort', author: 'Terry Pratchett' }], 'half typed', { seed: 1, count: 5 }),
  ).toEqual([]);
});

test('words in another order are the words of the title, and not in its order', () => {
  for (const { q, wanted } of makeKnownItems(books, 'words in another order', { seed: 1, count: 200 })) {
    const [number = -1] = wanted;
    const words = plainWords(withoutSeries(books[number]?.title ?? ''));

    expect(q).not.toBe(words.join(' '));
    expect(q.split(' ').sort()).toEqual(words.sort());
  }
});

test('every edition of a book is wanted, and every book of a misspelt author', () => {
  const titles = makeKnownItems(books, 'exact title', { seed: 1, count: books.length });
  const authors = makeKnownItems(books, 'author with one typo', { seed: 1, count: books.length });
  const wantedWith = (items: typeof titles, number: number) =>
    items.find(({ wanted }) => wanted.has(number))?.wanted;

  const dune = wantedWith(titles, numberOf('Dune (Dune, #1)'));
  expect(dune).toEqual(new Set([numberOf('Dune'), numberOf('Dune (Dune, #1)')]));
  // That of Crichton is another book.
  expect(titles.filter(({ q }) => q === 'The Lost World').map(({ wanted }) => wanted.size)).toEqual([1, 1]);
  expect(wantedWith(authors, numberOf('Emma'))?.has(numberOf('Persuasion'))).toBe(true);
});

test('figures count the place of the first wanted book', () => {
  const items = [1, 2, 3, 4].map((number) => ({ q: '', wanted: new Set([number, 100 + number]) }));

  const figures = figuresOf(items, [[1, 9], [9, 102, 2], [], [9, 8, 7, 6, 5, 4]]);

  expect(figures.atOne).toBe(1 / 4);
  expect(figures.atFive).toBe(2 / 4);
  expect(figures.reciprocalRank).toBeCloseTo((1 + 1 / 2 + 0 + 1 / 6) / 4);
});

test('a figure below another engine or below its target is a miss', () => {
  const figures = (atOne: number, atFive: number) => ({ atOne, atFive, reciprocalRank: atOne });
  const row = (kind: (typeof kinds)[number], store: [number, number], other: [number, number]) => ({
    kind,
    queries: 10,
    store: figures(...store),
    others: [{ engine: 'Other', configuration: 'plain', figures: figures(...other) }],
  });

  expect(listMisses({ rows: [row('half typed', [0.5, 0.7], [0.5, 0.7])], differences: 0 })).toEqual([]);
  expect(listMisses({ rows: [row('half typed', [0.5, 0.7], [0.4, 0.71])], differences: 0 })).toEqual([
    'half typed, at 5: 0.700, and Other (plain) 0.710',
  ]);
  expect(listMisses({ rows: [row('title with one typo', [0.89, 0.93], [0, 0])], differences: 0 })).toEqual([
    'title with one typo, at 1: 0.890, and the target is 0.900',
  ]);
  expect(listMisses({ rows: [], differences: 2 })).toEqual([
    'The two databases gave different lists for 2 queries',
  ]);
});

test('CSV fields may have quotes, commas and line ends', () => {
  const text = 'title,author\r\n"A ""quoted"", title",N N\n"two\nlines",\n';

  expect(readCsv(text)).toEqual([
    ['title', 'author'],
    ['A "quoted", title', 'N N'],
    ['two\nlines', ''],
  ]);
});

test('the books of the repository have a title and an author each, and none comes twice', () => {
  const lines = books.map(({ title, author }) => `${title} | ${author}`);

  expect(books.length).toBeGreaterThan(1_800);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  expect(lines.filter((line) => line !== line.normalize('NFC'))).toEqual([]);
});
