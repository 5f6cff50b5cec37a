import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../testing/test-store.ts';
import type { Access } from './guards.ts';

/** The access of every route. The first test fails for a route that is missing here. */
const table: Record<string, Access> = {
  'GET /': 'public',
  'GET /home': 'public',
  'GET /login': 'public',
  'GET /checkout/:id': 'public',
  'GET /orders': 'public',
  'GET /admin': 'public',
  'GET /books': 'public',
  'GET /book/:id': 'public',
  'POST /addOrder': 'customer',
  'GET /allOrder/:email': 'owner',
  'DELETE /deleteBook/:id': 'admin',
  'POST /restoreBook/:id': 'admin',
  'POST /addBook': 'admin',
  'GET /auth/session': 'public',
  'GET /auth/sign-in': 'public',
  'GET /auth/callback': 'public',
  'GET /auth/popup.js': 'public',
  'POST /auth/sign-out': 'public',
  'POST /1/upload': 'admin',
  'GET /images/:file': 'public',
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'operator',
  'GET /openapi.json': 'public',
};

/** Routes that need a session. */
const guarded = Object.entries(table).filter(([, access]) => access !== 'public' && access !== 'operator');

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore({ settings: { adminEmails: ['admin@example.com'] } });
});
afterAll(() => store.close());

const call = (route: string, init: { cookie?: string; headers?: Record<string, string> } = {}) => {
  const [method = '', url = ''] = route.split(' ');
  return store.app.inject({
    method: method as 'GET' | 'POST' | 'DELETE',
    url: url.replace(':email', 'reader@example.com').replace(':id', 'no-such-id'),
    headers: { ...init.headers, ...(init.cookie === undefined ? {} : { cookie: init.cookie }) },
  });
};

describe('every route', () => {
  test('is in the table with the access that it declares', () => {
    const declared = Object.entries(store.app.declaredAccess);
    const isBuiltFile = (route: string) => route.startsWith('GET /assets/');
    const routes = declared.filter(([route]) => !route.startsWith('HEAD ') && !isBuiltFile(route));

    expect(Object.fromEntries(routes)).toEqual(table);
  });

  test.each(guarded)(
    '%s (%s) answers 401 without a session, with an ended one and with a forged one',
    async (route) => {
      const cookie = await store.signIn();
      await store.call('/auth/sign-out', { method: 'POST', cookie });

      const without = await call(route);
      const ended = await call(route, { cookie });
      const forged = await call(route, { cookie: 'colophon-session=forged' });

      for (const response of [without, ended, forged]) {
        expect([response.statusCode, response.payload]).toEqual([
          401,
          expect.stringContaining('SIGN_IN_REQUIRED'),
        ]);
      }
    },
  );

  test.each(Object.entries(table).filter(([, access]) => access === 'operator'))(
    '%s (%s) needs the token, and no session replaces it',
    async (route) => {
      const other = await openTestStore({ settings: { metricsToken: 'prometheus-token-1' } });
      const [method, url] = route.split(' ') as ['GET', string];

      const response = await other.app.inject({ method, url, headers: { cookie: await other.signIn() } });

      expect([response.statusCode, response.json().code]).toEqual([401, 'TOKEN_REQUIRED']);
      await other.close();
    },
  );

  test.each(guarded.filter(([, access]) => access === 'admin'))(
    '%s answers 403 to a customer who is not an admin, or whose e-mail is not verified',
    async (route) => {
      const customer = await store.signIn({ sub: 'c', email: 'customer@example.com' });
      const unverified = await store.signIn({
        sub: 'u',
        email: 'admin@example.com',
        isEmailVerified: false,
      });

      expect((await call(route, { cookie: customer })).statusCode).toBe(403);
      expect((await call(route, { cookie: unverified })).statusCode).toBe(403);
    },
  );

  test('for admins compares e-mails without case', async () => {
    const admin = await store.signIn({ sub: 'k', email: 'Admin@Example.com' });

    expect((await call('DELETE /deleteBook/:id', { cookie: admin })).statusCode).toBe(404);
  });
});

describe('a page of another site', () => {
  const writes = Object.keys(table).filter((route) => !route.startsWith('GET '));

  test.each(writes)('cannot use %s with the visitor’s session', async (route) => {
    const cookie = await store.signIn({ sub: 'k', email: 'admin@example.com' });
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];

    for (const headers of foreign) {
      const response = await call(route, { cookie, headers });
      expect([response.statusCode, response.payload]).toEqual([
        403,
        expect.stringContaining('CROSS_SITE_REQUEST'),
      ]);
    }
  });

  test('cannot read a response with the visitor’s session', async () => {
    const response = await call('GET /books', { headers: { origin: 'https://evil.example' } });

    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('the store’s own pages, allowed origins and clients other than browsers may write', async () => {
  const other = await openTestStore({ settings: { allowedOrigins: ['https://shop.example'] } });
  const signOut = async (headers: Record<string, string>) =>
    (await other.app.inject({ method: 'POST', url: '/auth/sign-out', headers })).statusCode;

  expect(await signOut({ 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' })).toBe(204);
  expect(await signOut({ origin: 'http://localhost:3000' })).toBe(204);
  expect(await signOut({ 'sec-fetch-site': 'same-site', origin: 'https://shop.example' })).toBe(204);
  expect(await signOut({})).toBe(204);
  const { headers } = await other.app.inject({ url: '/books', headers: { origin: 'https://shop.example' } });
  expect(headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(headers['access-control-allow-credentials']).toBe('true');
  expect(headers['access-control-expose-headers']).toContain('link');
  expect(headers.vary?.toLowerCase()).toBe('origin, accept-encoding');
  const preflight = await other.app.inject({
    method: 'OPTIONS',
    url: '/deleteBook/1',
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'idempotency-key',
    },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
  expect(preflight.headers['access-control-allow-headers']).toBe('idempotency-key');
  await other.close();
});
