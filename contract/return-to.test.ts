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
])('%s is a safe path to return to', (path) => {
  expect(safeReturnTo(path)).toBe(path);
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
])('%j becomes the home screen', (address) => {
  expect(safeReturnTo(address)).toBe('/');
});

test('a path that becomes too long when it is percent-encoded becomes the home screen', () => {
  expect(safeReturnTo(`/?q=${'ü'.repeat(1000)}`)).toBe('/');
});

test('a browser that follows the result stays on the store, for any input', () => {
  const hostileAddress = fc.string({
    unit: fc.constantFrom('/', '\\', '.', ':', '@', '\t', '\n', 'a', '%', '?', '#', 'h'),
  });
  fc.assert(
    fc.property(hostileAddress, (address) => {
      const { origin } = new URL(safeReturnTo(address), 'https://shop.example');
      expect(origin).toBe('https://shop.example');
    }),
    { numRuns: 2000 },
  );
});
