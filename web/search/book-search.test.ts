import { beforeAll, expect, test, vi } from 'vitest';
import { searchIn, sortsOf } from '../../contract/book-search.ts';
import { stubPage } from '../testing/stubbed-page.ts';

stubPage();
let bookSearch: typeof import('./book-search.ts');

// The module reads the page's configuration when it is imported.
beforeAll(async () => {
  bookSearch = await import('./book-search.ts');
  return () => vi.unstubAllGlobals();
});

const searchAt = (query: string) => searchIn(new URLSearchParams(query));
const addressOf = (search: ReturnType<typeof searchAt>) => bookSearch.addressOf('/', search);

test('the address gives the query, the order and the spelling', () => {
  expect(searchAt('q=+jane+eyre+&sort=price&spelling=as-typed')).toEqual({
    q: 'jane eyre',
    sort: 'price',
    isAsTyped: true,
    filters: {},
  });
});

test('an address lists all books newest first, those of a query by the best match, unless it names another order', () => {
  for (const query of ['', 'sort=cheapest', 'sort=toString', 'sort=best', 'q=+&spelling=as-typed']) {
    expect(searchAt(query), query).toEqual({ q: '', sort: 'newest', isAsTyped: false, filters: {} });
  }
  for (const query of ['q=jane', 'q=jane&sort=best', 'q=jane&sort=cheapest', 'q=jane&spelling=other']) {
    expect(searchAt(query), query).toEqual({ q: 'jane', sort: 'best', isAsTyped: false, filters: {} });
  }
  const filters = { 'subject=Sea+stories&minPrice=5': { subject: 'Sea stories', minPrice: '5' } };
  const others = {
    'maxPrice=9.99&from=m': { maxPrice: '9.99' },
    'minPrice=cheap&maxPrice=1.999&subject=': {},
    'subject=Sea%07stories': {},
  };
  for (const [query, read] of Object.entries({ ...filters, ...others })) {
    expect(searchAt(query).filters, query).toEqual(read);
  }
});

test('a search has the address that it was read from, without what nobody chose', () => {
  for (const address of [
    ...['/', '/?q=jane', '/?subject=Sea&maxPrice=5', '/?q=jane&sort=title', '/?sort=price'],
    ...['/?q=jane&sort=newest', '/?q=jane&sort=title&spelling=as-typed'],
  ]) {
    expect(addressOf(searchAt(address.slice(2)))).toBe(address);
  }
  for (const query of ['sort=newest', 'q=+&sort=best']) expect(addressOf(searchAt(query)), query).toBe('/');
});

test('a query that is too long for the store is cut', () => {
  expect(searchAt(`q=${'a'.repeat(300)}`).q).toBe('a'.repeat(200));
  expect(searchAt(`q=${'a'.repeat(199)}+bc`).q).toBe('a'.repeat(199));
});

test('only a list with a query can be ordered by the best match', () => {
  expect(sortsOf('jane')).toEqual(['best', 'newest', 'title', 'author', 'price', 'price-desc']);
  expect(sortsOf('')).toEqual(['newest', 'title', 'author', 'price', 'price-desc']);
});

test('another query keeps only an order that was chosen', () => {
  for (const [from = '', q = '', to] of [
    ['', 'jane', '/?q=jane'],
    ['q=jane', '', '/'],
    ['sort=price', 'jane', '/?q=jane&sort=price'],
    ['q=jane&sort=price', '', '/?sort=price'],
    ['q=jane&sort=newest', 'emma', '/?q=emma&sort=newest'],
    ['q=jane&sort=newest', '', '/'],
    ['q=jnae&spelling=as-typed', 'jnaee', '/?q=jnaee'],
  ]) {
    expect(addressOf(bookSearch.withQuery(searchAt(from), q)), `${from} with ${q}`).toBe(to);
  }
});
