import { expect, test } from 'vitest';
import { nextPage } from './next-page.ts';

const base = 'https://shop.example/books';

test('the next page is the target whose relation is next', () => {
  expect(nextPage('</books?cursor=a%2Cb>; rel="next"', base)).toBe('/books?cursor=a%2Cb');
  expect(nextPage('</books?cursor=c>; rel=next', base)).toBe('/books?cursor=c');
  expect(nextPage('</books>; rel="first", </books?cursor=d>; title="more"; rel="next"', base)).toBe(
    '/books?cursor=d',
  );
  expect(nextPage('</books?cursor=e>; rel="last next"', base)).toBe('/books?cursor=e');
});

test('an absolute target of the same origin is taken as its path', () => {
  expect(nextPage('<https://shop.example/books?cursor=f>; rel="next"', base)).toBe('/books?cursor=f');
});

test('the last page has no next one', () => {
  expect(nextPage(null, base)).toBeUndefined();
  expect(nextPage('</books?cursor=g>; rel="prev"', base)).toBeUndefined();
  expect(nextPage('</books?cursor=h>; rel="nextish"', base)).toBeUndefined();
});

test('a target on another origin is not followed', () => {
  expect(nextPage('<https://elsewhere.example/books>; rel="next"', base)).toBeUndefined();
});
