import { expect, test } from 'vitest';
import { nextPagePath } from './next-page.ts';

const base = 'https://shop.example/books';

test('the next page is the target whose relation is next', () => {
  expect(nextPagePath('</books?cursor=a%2Cb>; rel="next"', base)).toBe('/books?cursor=a%2Cb');
  expect(nextPagePath('</books?cursor=c>; rel=next', base)).toBe('/books?cursor=c');
  expect(nextPagePath('</books>; rel="first", </books?cursor=d>; title="more"; rel="next"', base)).toBe(
    '/books?cursor=d',
  );
  expect(nextPagePath('</books?cursor=e>; rel="last next"', base)).toBe('/books?cursor=e');
});

test('an absolute target of the same origin is taken as its path', () => {
  expect(nextPagePath('<https://shop.example/books?cursor=f>; rel="next"', base)).toBe('/books?cursor=f');
});

test('the last page has no next one', () => {
  expect(nextPagePath(null, base)).toBeUndefined();
  expect(nextPagePath('</books?cursor=g>; rel="prev"', base)).toBeUndefined();
  expect(nextPagePath('</books?cursor=h>; rel="nextish"', base)).toBeUndefined();
});

test('a target on another origin is not followed', () => {
  expect(nextPagePath('<https://elsewhere.example/books>; rel="next"', base)).toBeUndefined();
});
