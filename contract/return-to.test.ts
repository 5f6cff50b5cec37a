import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeReturnTo } from './return-to.ts';

test.each([
  '/',
  '/orders',
  '/checkout/1?a=b#c',
  '/checkout/a%2Fb?from=shelf#top',
  '/admin?x=//y',
  '/?q=jane+eyre',
  '/b%C3%BCcher',
  '/loginable',
  `/${'a'.repeat(1999)}`,
])('%s is a place to return to', (place) => {
  expect(safeReturnTo(place)).toBe(place);
});

test.each([
  undefined,
  '',
  'orders',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  'https:evil.example',
  'https://evil.example',
  'https://evil.example/orders',
  'javascript:alert(1)',
  '/auth/sign-in?attempt=again',
  '/login',
  '/login/',
  '/login?returnTo=/login',
  '/LOGIN',
  '/orders/../login',
  `/${'a'.repeat(2000)}`,
])('%j is not, and becomes the home page', (place) => {
  expect(safeReturnTo(place)).toBe('/');
});

test('a place that grows too long when it is written out as an address becomes the home page', () => {
  expect(safeReturnTo(`/?q=${'ü'.repeat(1000)}`)).toBe('/');
});

test('whatever is sent, a browser that follows the result stays on the store', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('/', '\\', '.', ':', '@', '\t', '\n', 'a', '%', '?', '#', 'h'),
  });
  fc.assert(
    fc.property(nasty, (place) => {
      const { origin } = new URL(safeReturnTo(place), 'https://shop.example');
      expect(origin).toBe('https://shop.example');
    }),
    { numRuns: 2000 },
  );
});
