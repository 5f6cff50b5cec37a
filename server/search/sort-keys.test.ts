import { expect, test } from 'vitest';
import { authorSortOf, titleSortOf } from './sort-keys.ts';

test('a title is sorted without its article, in some languages, and with a first word that is none', () => {
  const keys = {
    'An Artist of the Floating World': 'artist of the floating world',
    'Die unendliche Geschichte': 'unendliche geschichte',
    'Le Petit Prince': 'petit prince',
    "L'Étranger": 'etranger',
    'L’Œuvre': 'oeuvre',
    "Un'estate": 'estate',
    "'t Hooge Nest": 'hooge nest',
    'Ο Ξένος': 'ξενοσ',
    '“The Raven” and Other Poems': 'raven” and other poems',
    "'Salem's Lot": "salem's lot",
    '\u200eThe\u00a0Waves': 'waves',
    // Exceptions: English letters, verbs and nouns, a place, words that are no articles, and a title of only an article.
    ...{ 'A is for Alibi': 'a is for alibi', 'Die Trying': 'die trying', 'Den of Thieves': 'den of thieves' },
    ...{ 'La La Land': 'la la land', 'À la recherche': 'a la recherche', 'I, Robot': 'i, robot' },
    ...{ The: 'the', '…': '...' },
  };
  const found = Object.keys(keys).map((title) => [title, titleSortOf(title)]);
  expect(Object.fromEntries(found)).toEqual(keys);
});

test('an author is sorted by the last name of the first one', () => {
  const keys = {
    ...{ 'Jane Austen': 'austen jane', 'Austen, Jane': 'austen jane', 'Jane Austen (editor)': 'austen jane' },
    ...{ 'J. R. R. Tolkien': 'tolkien jrr', 'Ursula K. Le Guin': 'le guin ursula k' },
    ...{ 'Vincent van Gogh': 'van gogh vincent', 'Tahar Ben Jelloun': 'ben jelloun tahar' },
    'Antoine de Saint-Exupéry': 'de saint exupery antoine',
    ...{ 'Kurt Vonnegut Jr.': 'vonnegut kurt', "Tim O'Brien": 'obrien tim' },
    ...{ 'Фёдор Достоевский': 'dostoevskiy fedor', 村上春樹: 'cunshangchunshu', '…': '' },
    'Kyung-Sook Shin, 신경숙, Chi-Young Kim': 'shin kyung sook',
    ...{
      'Neil Gaiman and Terry Pratchett': 'gaiman neil',
      'Gaiman, Neil and Pratchett, Terry': 'gaiman neil',
    },
    'Jane Austen, Charlotte Brontë and Anne Brontë': 'austen jane',
  };
  const found = Object.keys(keys).map((author) => [author, authorSortOf(author)]);
  expect(Object.fromEntries(found)).toEqual(keys);
});

test('a long text takes no time', () => {
  const start = performance.now();
  for (const part of ['A ', ', ', ' and', '(', 'de ', '"', ' ', 'Jr. ']) {
    titleSortOf(`The ${part.repeat(250)}`);
    authorSortOf(`x${part.repeat(500)}x`);
  }

  expect(performance.now() - start).toBeLessThan(500);
});
