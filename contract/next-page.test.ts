import { expect, test } from 'vitest';
import { nextPageLink, nextPagePath } from './next-page.ts';

const base = 'https://shop.example/books';

test('the target with the relation next is the next page', () => {
  expect(nextPagePath('</books?cursor=a%2Cb>; rel="next"', base)).toBe('/books?cursor=a%2Cb');
  expect(nextPagePath('</books?cursor=c>; rel=next', base)).toBe('/books?cursor=c');
  expect(nextPagePath('</books>; rel="first", </books?cursor=d>; title="more"; rel="next"', base)).toBe(
    '/books?cursor=d',
  );
  expect(nextPagePath('</books?cursor=e>; rel="last next"', base)).toBe('/books?cursor=e');
  expect(nextPagePath('</books?cursor=i> ;rel = "next last"', base)).toBe('/books?cursor=i');
});

test('the link of a page has its query with the next cursor', () => {
  const link = nextPageLink('/books', { q: 'a&b', limit: 2, sort: undefined, cursor: 'b' }, 'c,d');

  expect(nextPagePath(link, base)).toBe('/books?q=a%26b&limit=2&cursor=c%2Cd');
});

test('an absolute target on the same origin becomes a path', () => {
  expect(nextPagePath('<https://shop.example/books?cursor=f>; rel="next"', base)).toBe('/books?cursor=f');
});

test('the last page has no next page', () => {
  expect(nextPagePath(null, base)).toBeUndefined();
  expect(nextPagePath('</books?cursor=g>; rel="prev"', base)).toBeUndefined();
  expect(nextPagePath('</books?cursor=h>; rel="nextish"', base)).toBeUndefined();
});

test('a target on another origin is not followed', () => {
  expect(nextPagePath('<https://elsewhere.example/books>; rel="next"', base)).toBeUndefined();
});
