import { expect, test } from 'vitest';
import { searchIn } from './book-search.ts';

const searchAt = (query: string) => searchIn(new URLSearchParams(query));

test('an address names the words and the order', () => {
  expect(searchAt('q=+jane+eyre+&sort=price')).toEqual({ q: 'jane eyre', sort: 'price' });
});

test.each(['', 'sort=cheapest', 'sort=toString'])('%j asks for everything, newest first', (query) => {
  expect(searchAt(query)).toEqual({ q: '', sort: 'newest' });
});

test('a question that the store would refuse as too long is cut', () => {
  expect(searchAt(`q=${'a'.repeat(300)}`).q).toBe('a'.repeat(200));
  expect(searchAt(`q=${'a'.repeat(199)}+bc`).q).toBe('a'.repeat(199));
});
