import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deskScreens } from './desk/paths.ts';
import { screenPatterns, screens } from './paths.ts';
import { bookToReturnTo, isOnDesk, safeReturnTo } from './return-to.ts';

test('a screen of the store is returned to', () => {
  for (const path of [
    ...['/', '/home', '/orders', '/admin?x=//y', '/desk', '/desk/orders?state=new#top', '/?q=jane+eyre'],
    ...['/checkout/1?a=b#c', '/checkout/a%2Fb?from=shelf#top', `/?q=${'a'.repeat(1996)}`],
  ]) {
    expect(safeReturnTo(path)).toBe(path);
  }
});

test('any other address becomes the home screen', () => {
  for (const address of [
    ...[
      undefined,
      '',
      'orders',
      '//evil.example/orders',
      '///evil.example',
      '/\\evil.example',
      '/\t/evil.example',
    ],
    ...['/.//evil.example', 'https:evil.example', 'https://evil.example/orders', 'javascript:alert(1)'],
    ...['/auth/sign-in?attempt=again', '/%61uth/sign-in', '/%2561uth/sign-in', '/AUTH/sign-in', '/login'],
    ...['/auth//sign-in', '/login/', '/login?returnTo=/login', '/LOGIN', '/%6Cogin', '/orders/../login'],
    ...['/checkout/', '/checkout/a/b', '/checkout/..%2f..%2flogin/../../login', '/orders/', '/loginable'],
    ...['/desk/', '/desk/orders/1', '/desk/api/orders/export?format=csv', '/desk/no-such-view', '/books'],
    ...['/desk/%6Frders', `/?q=${'a'.repeat(1997)}`, `/?q=${'ü'.repeat(1000)}`],
  ]) {
    expect(safeReturnTo(address), address).toBe('/');
  }
});

test('every screen except the login can be returned to', () => {
  const addresses = [...screenPatterns, ...deskScreens].map((pattern) => pattern.replace(/:\w+/g, 'some-id'));

  expect(addresses.filter((address) => safeReturnTo(address) !== address)).toEqual([screens.login]);
});

test('the checkout of any book can be returned to, with any query', () => {
  const bookId = fc.string({ minLength: 1, maxLength: 20 }).filter((id) => id !== '.' && id !== '..');
  const query = fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }), { maxKeys: 3 });
  fc.assert(
    fc.property(bookId, query, (id, parameters) => {
      const address = new URL(screens.checkout(id), 'https://shop.example');
      address.search = new URLSearchParams(parameters).toString();
      const path = address.pathname + address.search;
      expect(safeReturnTo(path)).toBe(path);
    }),
  );
});

test('a browser that follows the result opens a screen of the store, for any input', () => {
  const part = fc.oneof(
    fc.constantFrom(
      ...['/', '\\', '.', '..', ':', '@', '\t', '\n', 'a', '%', '%25', '%2e', '%2f', '?', '#', 'evil'],
    ),
    fc.constantFrom(
      ...['/auth/sign-in', '/%2561uth/', '/login', '/orders', '/checkout/', '/admin', '/home', '/desk'],
      '/desk/books',
    ),
  );
  const hostileAddress = fc
    .array(part, { maxLength: 8 })
    .map((parts) => `/${parts.join('')}`.replace(/^\/\//, '/'));
  fc.assert(
    fc.property(hostileAddress, (address) => {
      const result = safeReturnTo(address);
      const { origin, pathname } = new URL(result, 'https://shop.example');
      expect(origin).toBe('https://shop.example');
      if (isOnDesk(result)) return;
      const [, screen = '', ...rest] = pathname.split('/');
      expect(['', 'home', 'orders', 'admin', 'checkout']).toContain(screen);
      expect({ checkout: [1], orders: [0, 1] }[screen] ?? [0]).toContain(rest.length);
      expect(safeReturnTo(result)).toBe(result);
    }),
    { numRuns: 5000 },
  );
});

test('an address tells the book of a checkout, and whether it is on the desk', () => {
  const places = ['/checkout/1?a=/b#/c', '/checkout/a%2Fb', '/checkout/%E0%A4%A', '/?q=/checkout/1'];
  expect(places.map(bookToReturnTo)).toEqual(['1', 'a/b', undefined, undefined]);
  expect(['/desk', '/desk/mail?state=waiting#top'].map(isOnDesk)).toEqual([true, true]);
  expect(['/orders?/desk', '/'].map(isOnDesk)).toEqual([false, false]);
});
