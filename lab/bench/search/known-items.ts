/**
 * Known items: a visitor wants a certain book, and what they type is derived from it. The same seed makes the same queries. All
 * engines get the same ones, and the right books are known without a judge.
 */

import { randomNumbers } from '../../../server/testing/random-numbers.ts';

export type KnownBook = { title: string; author: string };

/** A search as a visitor types it, and the numbers of the books that they want. Each of them is right. */
export type KnownItem = { q: string; wanted: ReadonlySet<number> };

export const kinds = [
  'exact title',
  'half typed',
  'surname and a word of the title',
  'title with one typo',
  'author with one typo',
  'words in another order',
  'two words joined',
  'title and a wrong word',
  'title with two typos',
  'a word split in two',
] as const;
type MadeKind = (typeof kinds)[number];

/** The kinds of queries that a file gives for each of its books. */
export const languageKinds = {
  german: 'German title, as typed without umlauts',
  russian: 'Russian title, in Latin letters',
  japanese: 'Japanese title, in Latin letters',
} as const;

/** The most kinds: each seed has room for this many. */
const maxKinds = 100;

/** From 0 (inclusive) to 1 (exclusive). */
type Random = () => number;

/** The longest query, as in `GET /books`. */
const maxQueryLength = 200;
/** The fewest letters of a word with a typo, of a word beside a surname, and of each part of a split word. */
const typoLength = 5;
const besideSurnameLength = 4;
const partLength = 2;

/** @returns the words in lower case and without accents, by which editions and authors are compared. */
export const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** @returns the title without the series in parentheses at its end. */
export const withoutSeries = (title: string): string =>
  title.replace(/\s*\([^()]*\)\s*$/, '').trim() || title;

const firstAuthor = (author: string): string => author.split(/[,;&]/)[0] ?? '';

/** A book with what its queries are made of. */
type Candidate = {
  title: string;
  titleWords: readonly string[];
  authorWords: readonly string[];
  /** The same title and first author. */
  editions: ReadonlySet<number>;
  sameAuthor: ReadonlySet<number>;
};

/**
 * Makes queries of one kind.
 * @param count how many; fewer when the books have no more. No book is chosen twice.
 */
export function makeKnownItems(
  books: readonly KnownBook[],
  kind: MadeKind,
  { seed, count }: { seed: number; count: number },
): KnownItem[] {
  // Each kind has its own numbers, so that more items of one do not change those of another.
  const random = randomNumbers(seed * maxKinds + kinds.indexOf(kind));
  const candidates = toCandidates(books);
  const items: KnownItem[] = [];
  for (const candidate of shuffled(candidates, random)) {
    if (items.length === count) break;
    const q = makers[kind](candidate, random, candidates)?.slice(0, maxQueryLength);
    const wanted = kind === 'author with one typo' ? candidate.sameAuthor : candidate.editions;
    if (q) items.push({ q, wanted });
  }
  return items;
}

function toCandidates(books: readonly KnownBook[]): Candidate[] {
  const read = books.map(({ title, author }) => {
    const bare = withoutSeries(title);
    return { title: bare, titleWords: plainWords(bare), authorWords: plainWords(firstAuthor(author)) };
  });
  const authorOf = ({ authorWords }: (typeof read)[number]) => authorWords.join(' ');
  const editionOf = (book: (typeof read)[number]) => `${book.titleWords.join(' ')}|${authorOf(book)}`;
  const editions = numbersBy(read.map(editionOf));
  const sameAuthor = numbersBy(read.map(authorOf));
  return read.map((book) => ({
    ...book,
    editions: editions.get(editionOf(book)) ?? new Set(),
    sameAuthor: sameAuthor.get(authorOf(book)) ?? new Set(),
  }));
}

function numbersBy(keys: readonly string[]): Map<string, Set<number>> {
  const numbers = new Map<string, Set<number>>();
  keys.forEach((key, number) => {
    const known = numbers.get(key);
    if (known) known.add(number);
    else numbers.set(key, new Set([number]));
  });
  return numbers;
}

/** Makers of a search for a book. They return undefined when this kind of query cannot be made of it. */
const makers: Readonly<
  Record<MadeKind, (book: Candidate, random: Random, all: readonly Candidate[]) => string | undefined>
> = {
  'exact title': ({ title, titleWords }) => (titleWords.length > 0 ? title : undefined),
  'half typed': ({ titleWords: [first, second] }) => {
    if (first === undefined || second === undefined) return undefined;
    const letters = [...second];
    return `${first} ${letters.slice(0, Math.ceil(letters.length / 2)).join('')}`;
  },
  'surname and a word of the title': ({ titleWords, authorWords }, random) => {
    const word = pick(
      titleWords.filter((one) => [...one].length >= besideSurnameLength),
      random,
    );
    const surname = authorWords.at(-1);
    return word === undefined || surname === undefined ? undefined : `${surname} ${word}`;
  },
  'title with one typo': ({ titleWords }, random) => withTypo(titleWords, random),
  'author with one typo': ({ authorWords }, random) => withTypo(authorWords, random),
  'words in another order': ({ titleWords }, random) => {
    if (new Set(titleWords).size < 2) return undefined;
    let order = titleWords.join(' ');
    while (order === titleWords.join(' ')) order = shuffled(titleWords, random).join(' ');
    return order;
  },
  'two words joined': ({ titleWords }, random) => {
    const second = 1 + Math.floor(random() * (titleWords.length - 1));
    if (titleWords.length < 2) return undefined;
    return titleWords.slice(0, second).join(' ') + titleWords.slice(second).join(' ');
  },
  'title and a wrong word': ({ titleWords }, random, all) => {
    if (titleWords.length < 2) return undefined;
    const wrong = pick(pick(all, random)?.titleWords.filter(isLongWord) ?? [], random);
    const at = Math.floor(random() * (titleWords.length + 1));
    return wrong === undefined || titleWords.includes(wrong)
      ? undefined
      : titleWords.toSpliced(at, 0, wrong).join(' ');
  },
  'title with two typos': ({ titleWords }, random) => {
    const words = withTypo(titleWords, random)?.split(' ') ?? [];
    const rightWords = words.map((word, index) => (word === titleWords[index] ? word : ''));
    const others = withTypo(rightWords, random)?.split(' ');
    return others && words.map((word, index) => others[index] || word).join(' ');
  },
  'a word split in two': ({ titleWords }, random) => {
    const long = titleWords.filter(isLongWord);
    const word = pick(long, random);
    if (word === undefined) return undefined;
    const letters = [...word];
    const at = partLength + Math.floor(random() * (letters.length - 2 * partLength + 1));
    const split = `${letters.slice(0, at).join('')} ${letters.slice(at).join('')}`;
    return titleWords.toSpliced(titleWords.indexOf(word), 1, split).join(' ');
  },
};

/** @param queries what a visitor types for books with these titles. */
export function itemsOf(
  books: readonly KnownBook[],
  queries: readonly { title: string; q: string }[],
): KnownItem[] {
  const titleOf = ({ title }: { title: string }) => plainWords(title).join(' ');
  const numbers = numbersBy(books.map(titleOf));
  return queries.map((query) => ({ q: query.q, wanted: numbers.get(titleOf(query)) ?? new Set() }));
}

/** @returns the words, one of them with a typo; undefined when all are too short. */
function withTypo(words: readonly string[], random: Random): string | undefined {
  const long = words.flatMap((word, index) => (isLongWord(word) ? [index] : []));
  const chosen = pick(long, random);
  if (chosen === undefined) return undefined;
  return words.map((word, index) => (index === chosen ? makeTypo(word, random) : word)).join(' ');
}

const isLongWord = (word: string): boolean => /^\p{L}+$/u.test(word) && [...word].length >= typoLength;

const latinLetters = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Misses a letter, adds one, takes another one, or swaps two. The first letter stays unless it is swapped, since people rarely
 * mistake it.
 * @param word of two letters or more, not all the same.
 * @returns another word.
 */
export function makeTypo(word: string, random: Random): string {
  const letters = [...word];
  // A visitor who types another script makes mistakes in it. The word's own letters are on that keyboard.
  const keyboard = /^[a-z]+$/.test(word) ? latinLetters : letters;
  for (;;) {
    const index = 1 + Math.floor(random() * (letters.length - 1));
    const before = letters.slice(0, index);
    const letter = letters[index] ?? '';
    const after = letters.slice(index + 1);
    const other = pick(keyboard, random) ?? '';
    const typo = [
      [...before, ...after],
      [...before, other, letter, ...after],
      [...before, other, ...after],
      [...before.slice(0, -1), letter, ...before.slice(-1), ...after],
    ][Math.floor(random() * 4)]?.join('');
    if (typo !== undefined && typo !== word) return typo;
  }
}

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)];

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
