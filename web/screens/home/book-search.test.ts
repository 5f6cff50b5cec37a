import { expect, test } from 'vitest';
import { searchIn } from './book-search.ts';

const searchAt = (query: string) => searchIn(new URLSearchParams(query));

test('the address gives the query and the sort order', () => {
  expect(searchAt('q=+jane+eyre+&sort=price')).toEqual({ q: 'jane eyre', sort: 'price' });
});

test.each(['', 'sort=cheapest', 'sort=toString'])(
  'an address with %j lists all books, newest first',
  (query) => {
    expect(searchAt(query)).toEqual({ q: '', sort: 'newest' });
  },
);

test('a query that is too long for the store is cut', () => {
  expect(searchAt(`q=${'a'.repeat(300)}`).q).toBe('a'.repeat(200));
  expect(searchAt(`q=${'a'.repeat(199)}+bc`).q).toBe('a'.repeat(199));
});
