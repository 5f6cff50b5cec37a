import { expect, test } from 'vitest';
import { safeReturnTo } from './return-to.ts';

test.each(['/', '/orders', '/checkout/a%2Fb?from=shelf#top', '/?q=jane+eyre', '/loginable'])(
  'returns to the own path %s',
  (path) => {
    expect(safeReturnTo(path)).toBe(path);
  },
);

test.each([
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https://evil.example/orders',
  'javascript:alert(1)',
  'orders',
  '',
  '/\t/evil.example',
  '/orders\n',
  undefined,
  null,
  7,
])('goes home instead of to %j', (remembered) => {
  expect(safeReturnTo(remembered)).toBe('/');
});

test.each(['/login', '/login/', '/login?returnTo=/login', '/LOGIN'])(
  'does not return to the login screen by %s',
  (path) => {
    expect(safeReturnTo(path)).toBe('/');
  },
);
