import { expect, test } from 'vitest';
import { nextPageLink, nextPagePath } from './next-page.ts';

const base = 'https://shop.example/books';

test('the target with the relation next on the same origin is the next page', () => {
  const pages = {
    '</books?cursor=a%2Cb>; rel="next"': '/books?cursor=a%2Cb',
    '</books?cursor=c>; rel=next': '/books?cursor=c',
    '</books>; rel="first", </books?cursor=d>; title="more"; rel="next"': '/books?cursor=d',
    '</books?cursor=i> ;rel = "next last"': '/books?cursor=i',
    '<https://shop.example/books?cursor=f>; rel="next"': '/books?cursor=f',
    '<https://elsewhere.example/books>; rel="next"': undefined,
    '</books?cursor=g>; rel="prev"': undefined,
    '</books?cursor=h>; rel="nextish"': undefined,
  };
  const found = Object.keys(pages).map((link) => [link, nextPagePath(link, base)]);
  expect(Object.fromEntries(found)).toEqual(pages);
  expect(nextPagePath(null, base)).toBeUndefined();
});

test('the link of a page has its query with the next cursor', () => {
  const link = nextPageLink('/books', { q: 'a&b', limit: 2, sort: undefined, cursor: 'b' }, 'c,d');

  expect(nextPagePath(link, base)).toBe('/books?q=a%26b&limit=2&cursor=c%2Cd');
});
