import { expect, test } from 'vitest';
import { authorSortOf, titleSortOf } from './sort-keys.ts';

test('a title is sorted without its article, in some languages', () => {
  const keys = [
    ['An Artist of the Floating World', 'artist of the floating world'],
    ['Die unendliche Geschichte', 'unendliche geschichte'],
    ['Le Petit Prince', 'petit prince'],
    ["L'Étranger", 'etranger'],
    ['L’Œuvre', 'oeuvre'],
    ["Un'estate", 'estate'],
    ["'t Hooge Nest", 'hooge nest'],
    ['Ο Ξένος', 'ξενοσ'],
    ['“The Raven” and Other Poems', 'raven” and other poems'],
    ["'Salem's Lot", "salem's lot"],
    ['\u200eThe\u00a0Waves', 'waves'],
  ] as const;
  expect(keys.map(([title]) => [title, titleSortOf(title)])).toEqual(keys);
});

test('a title keeps its first word where that is no article', () => {
  const titles = [
    ['A is for Alibi', 'English letters'],
    ['Die Trying', 'the English verb'],
    ['Den of Thieves', 'the English noun'],
    ['La La Land', 'a place'],
    ['À la recherche du temps perdu', 'no article'],
    ['I, Robot', 'no article'],
    ['The', 'all of it'],
    ['…', 'all of it'],
  ] as const;
  for (const [title, reason] of titles) {
    const [first = ''] = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().split(/[\s,]/);
    expect(titleSortOf(title).startsWith(first), `${title}: ${reason}`).toBe(true);
  }
});

test('an author is sorted by the last name of the first one', () => {
  const keys = [
    ['Jane Austen', 'austen jane'],
    ['Austen, Jane', 'austen jane'],
    ['J. R. R. Tolkien', 'tolkien jrr'],
    ['Ursula K. Le Guin', 'le guin ursula k'],
    ['Vincent van Gogh', 'van gogh vincent'],
    ['Antoine de Saint-Exupéry', 'de saint exupery antoine'],
    ['Tahar Ben Jelloun', 'ben jelloun tahar'],
    ['Kurt Vonnegut Jr.', 'vonnegut kurt'],
    ["Tim O'Brien", 'obrien tim'],
    ['Фёдор Достоевский', 'dostoevskiy fedor'],
    ['村上春樹', 'cunshangchunshu'],
    ['Neil Gaiman, Terry Pratchett', 'gaiman neil'],
    ['Kyung-Sook Shin, 신경숙, Chi-Young Kim', 'shin kyung sook'],
    ['Neil Gaiman and Terry Pratchett', 'gaiman neil'],
    ['Gaiman, Neil and Pratchett, Terry', 'gaiman neil'],
    ['Jane Austen, Charlotte Brontë and Anne Brontë', 'austen jane'],
    ['Jane Austen (editor)', 'austen jane'],
    ['…', ''],
  ] as const;
  expect(keys.map(([author]) => [author, authorSortOf(author)])).toEqual(keys);
});

test('a long text takes no time', () => {
  const start = performance.now();
  for (const part of ['A ', ', ', ' and', '(', 'de ', '"', ' ', 'Jr. ']) {
    titleSortOf(`The ${part.repeat(250)}`);
    authorSortOf(`x${part.repeat(500)}x`);
  }

  expect(performance.now() - start).toBeLessThan(500);
});
