import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { commandActor } from '../activity/activity.ts';
import { readAdminClaim } from '../sign-in/admin-claim.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import { exchange } from '../testing/exchange.ts';
import { openTestStore, reader, shareTestStore } from '../testing/test-store.ts';
import { type Access, guardRoutes } from './guards.ts';
import { createToken, revokeToken, type Scope } from './tokens.ts';

/** The access of every route, and the scope of tokens with which scripts may call it. The first test fails for a route that is missing here. */
const declared: Record<string, Access | `${Access} ${Scope}`> = {
  'GET /': 'public',
  'GET /home': 'public',
  'GET /login': 'public',
  'GET /books/:id': 'public',
  'GET /authors/:id': 'public',
  'GET /series/:id': 'public',
  'GET /checkout/:id': 'public',
  'GET /orders': 'public',
  'GET /orders/:id': 'public',
  'GET /admin': 'public',
  'GET /withdrawal': 'public',
  'GET /desk': 'public',
  'GET /desk/today': 'public',
  'GET /desk/orders': 'public',
  'GET /desk/books': 'public',
  'GET /desk/import': 'public',
  'GET /desk/sales': 'public',
  'GET /desk/customers': 'public',
  'GET /desk/activity': 'public',
  'GET /desk/mail': 'public',
  'GET /desk/ways': 'public',
  'GET /desk/pages': 'public',
  'GET /desk/webhooks': 'public',
  'GET /books': 'public',
  'GET /front': 'public',
  'GET /ways': 'public',
  'GET /suggest': 'public',
  'GET /pages/:id': 'public',
  'GET /book/:id': 'public',
  'GET /books/:id/beside': 'public',
  'PATCH /book/:id': 'admin catalogue',
  'POST /addOrder': 'customer',
  'GET /allOrder/:email': 'owner',
  'GET /order/:id': 'customer',
  'PATCH /order/:id': 'customer',
  'POST /withdrawOrder/:id': 'customer',
  'POST /payOrder/:id': 'customer',
  'GET /payments/done/:id': 'public',
  'POST /payments/:provider': 'public',
  'DELETE /deleteBook/:id': 'admin catalogue',
  'POST /restoreBook/:id': 'admin catalogue',
  'POST /addBook': 'admin catalogue',
  'GET /auth/session': 'public',
  'GET /auth/address': 'customer',
  'GET /auth/sign-in': 'public',
  'GET /auth/callback': 'public',
  'GET /auth/popup.js': 'public',
  'POST /auth/sign-out': 'public',
  'POST /auth/backchannel-logout': 'public',
  'POST /1/upload': 'admin catalogue',
  'GET /imageHostKey': 'admin',
  'GET /images/:file': 'public',
  'GET /cards/:file': 'public',
  'POST /vitals': 'public',
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'operator',
  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /.well-known/security.txt': 'public',
  'GET /robots.txt': 'public',
  'GET /sitemap.xml': 'public',
  'GET /sitemaps/:file': 'public',
  'GET /manifest.webmanifest': 'public',
  'GET /feed.atom': 'public',
  'GET /desk/api/activity': 'desk',
  'GET /desk/api/books': 'desk catalogue',
  'GET /desk/api/books/export': 'desk catalogue',
  'POST /desk/api/books/import': 'desk catalogue',
  'GET /desk/api/books/:id': 'desk catalogue',
  'POST /desk/api/books/:id/copies': 'desk catalogue',
  'POST /desk/api/books/:id/front-table': 'desk catalogue',
  'GET /desk/api/front-table': 'desk catalogue',
  'PATCH /desk/api/front-table': 'desk catalogue',
  'POST /desk/api/books/change': 'desk catalogue',
  'POST /desk/api/books/undo': 'desk catalogue',
  'GET /desk/api/orders': 'desk orders',
  'GET /desk/api/pages': 'desk',
  'GET /desk/api/pages/:id': 'desk',
  'POST /desk/api/pages/:id': 'desk',
  'POST /desk/api/ways/:id/remove': 'desk catalogue',
  'POST /desk/api/ways/:id': 'desk catalogue',
  'GET /desk/api/ways': 'desk catalogue',
  'GET /desk/api/today': 'desk',
  'GET /desk/api/orders/counts': 'desk orders',
  'GET /desk/api/orders/:id': 'desk orders',
  'POST /desk/api/orders/:id/note': 'desk orders',
  'PATCH /desk/api/orders/:id': 'desk orders',
  'POST /desk/api/orders/:id/withdraw': 'desk orders',
  'POST /desk/api/orders/:id/settle': 'desk orders',
  'POST /desk/api/orders/sent': 'desk orders',
  'POST /desk/api/payments/import': 'desk orders',
  'POST /desk/api/orders/paid': 'desk orders',
  'GET /desk/api/orders/export': 'desk orders',
  'GET /desk/api/sales': 'desk orders',
  'GET /desk/api/sales/export': 'desk orders',
  'GET /desk/api/sales/best-sellers': 'desk orders',
  'GET /desk/api/mail': 'desk',
  'GET /desk/api/webhooks': 'desk',
  'POST /desk/api/webhooks/:id/retry': 'desk',
  'GET /desk/api/mail/:id': 'desk',
  'POST /desk/api/mail/:id/retry': 'desk',
  'GET /desk/api/customers': 'desk',
  'GET /desk/api/customers/:id/export': 'desk',
  'POST /desk/api/customers/:id/sign-out': 'desk',
  'POST /desk/api/customers/:id/block': 'desk',
  'POST /desk/api/customers/:id/unblock': 'desk',
  'POST /desk/api/customers/:id/erase': 'desk',
};
const routesWith = <Part extends string>(index: number): Record<string, Part> =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([route, parts]) => {
      const part = parts.split(' ')[index] as Part | undefined;
      return part === undefined ? [] : [[route, part]];
    }),
  );
const table = routesWith<Access>(0);
const scopeTable = routesWith<Scope>(1);

const metricsToken = 'prometheus-token-1';
const store = shareTestStore({
  settings: {
    adminEmails: ['admin@example.com', 'kate@example.com'],
    adminClaim: readAdminClaim('groups:shop-admins'),
    metricsToken,
    // Every request of the matrix comes from one client.
    hasRateLimits: false,
  },
});

const call = (route: string, init: { cookie?: string; headers?: Record<string, string> } = {}) => {
  const [method = '', url = ''] = route.split(' ');
  return store.app.inject({
    method: method as 'GET' | 'POST' | 'DELETE',
    url: url.replace(':email', 'reader@example.com').replace(/:\w+/, 'no-such-id'),
    headers: { ...init.headers, ...(init.cookie === undefined ? {} : { cookie: init.cookie }) },
  });
};

const admin = () => store.signIn({ sub: 'admin', email: 'admin@example.com' });

/** Starts a session at this provider, of a customer whom the setting of a claim named or not. */
async function begin(identity: object, policy: { providerIssuer?: string; adminClaim?: string } = {}) {
  const ofStore = { providerIssuer: 'http://127.0.0.1:1', ...policy };
  const { sessionId } = await startSession(store.database.db, { ...reader, ...identity }, ofStore);
  return `${sessionCookieName({ isSecure: false })}=${sessionId}`;
}
const signInWithClaim = (adminClaim: string) =>
  begin({ sub: adminClaim, email: 'staff@example.com', isEmailVerified: false }, { adminClaim });

type Caller = {
  /** Makes the Cookie header. */
  cookie?: () => Promise<string>;
  headers?: () => Promise<Record<string, string>>;
  /** The scope of the token that the caller sends. */
  scope?: Scope;
  /** The accesses that admit this caller, besides `public`. Without any, the store does not know the caller, and responds with 401. */
  may?: readonly Access[];
  mayWrite?: false;
};

const bearer = async (name: string, may: Scope) => ({
  authorization: `Bearer ${await createToken(store.database.db, { name, may }, commandActor)}`,
});
const script = (scope: Scope) => ({
  headers: () => bearer(`${scope}-${crypto.randomUUID()}`, scope),
  scope,
});
const ofAdmins: readonly Access[] = ['customer', 'admin', 'desk'];

const callers: Record<string, Caller> = {
  'a client without a session': {},
  'a forged session': { cookie: async () => 'colophon-session=forged' },
  'an ended session': {
    cookie: async () => {
      const cookie = await store.signIn();
      await store.call('/auth/sign-out', { method: 'POST', cookie });
      return cookie;
    },
  },
  'a client with the operator’s token': {
    headers: async () => ({ authorization: `Bearer ${metricsToken}` }),
    may: ['operator'],
  },
  'a session of an admin at an earlier provider': {
    cookie: () =>
      begin({ sub: 'admin', email: 'admin@example.com' }, { providerIssuer: 'https://earlier.example' }),
  },
  'the customer': { cookie: () => store.signIn(), may: ['customer', 'owner'] },
  'an admin': { cookie: admin, may: ofAdmins },
  'an admin by a claim, whose e-mail is not verified': {
    cookie: () => signInWithClaim('groups:shop-admins'),
    may: ofAdmins,
  },
  'an admin by the claim of an earlier setting': {
    cookie: () => signInWithClaim('groups:admins'),
    may: ['customer'],
  },
  'an admin whose e-mail is not verified': {
    cookie: () => store.signIn({ sub: 'u', email: 'admin@example.com', isEmailVerified: false }),
    may: ['customer'],
  },
  'another customer, whose e-mail only looks like that of an admin': {
    // `toLowerCase()` turns U+212A, the Kelvin sign, into a k.
    cookie: () => store.signIn({ sub: 'kelvin', email: '\u212aate@example.com' }),
    may: ['customer'],
  },
  'a page of another site with an admin’s session': {
    cookie: admin,
    headers: async () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    may: ['customer', 'admin'],
    mayWrite: false,
  },
  'a script with a token for the catalogue': script('catalogue'),
  'a script with a token for the orders': script('orders'),
  'a script with a revoked token': {
    headers: async () => {
      const name = `revoked-${crypto.randomUUID()}`;
      const headers = await bearer(name, 'catalogue');
      await revokeToken(store.database.db, name, commandActor);
      return headers;
    },
  },
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const isRead = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
type Outcome = 'admitted' | 'no route' | 401 | 403;

/** @returns the route that serves a method of an address: the last part of the address may be the parameter of another route. */
function routeOf(method: string, url: string, routes: Readonly<Record<string, unknown>>): string {
  const withParameter = `${method} ${url.replace(/[^/:]+$/, ':id')}`;
  return !(`${method} ${url}` in routes) && withParameter in routes ? withParameter : `${method} ${url}`;
}

function expectedOutcome(method: string, url: string, { may = [], mayWrite, scope }: Caller): Outcome {
  if (mayWrite === false && !isRead(method)) return 403;
  const route = routeOf(method === 'HEAD' ? 'GET' : method, url, table);
  const access = table[route];
  if (access === undefined) return 'no route';
  if (access === 'public' || may.includes(access)) return 'admitted';
  if (scope !== undefined && scopeTable[route] === scope) return 'admitted';
  // The operator's routes accept a token only, whatever session the caller has.
  return access !== 'operator' && (may.includes('customer') || scope) ? 403 : 401;
}

function outcomeOf(method: string, url: string, status: number): Outcome {
  if (status === 401 || status === 403) return status;
  const { declaredAccess } = store.app;
  const isDeclared = routeOf(method, url, declaredAccess) in declaredAccess;
  return !isDeclared && (status === 404 || status === 405) ? 'no route' : 'admitted';
}

describe('every route', () => {
  test('is in the table with the access that it declares', () => {
    const found = Object.entries(store.app.declaredAccess);
    const isBuiltFile = (route: string) => route.startsWith('GET /assets/');
    const routes = found.filter(([route]) => !route.startsWith('HEAD ') && !isBuiltFile(route));

    expect(Object.fromEntries(routes)).toEqual(table);
    const scopes = Object.entries(store.app.declaredScopes);
    expect(Object.fromEntries(scopes.filter(([route]) => !route.startsWith('HEAD ')))).toEqual(scopeTable);
  });

  test.each(Object.entries(callers))(
    '%s gets from every method of every route what its access says',
    async (_, caller) => {
      const urls = new Set(Object.keys(table).map((route) => route.split(' ')[1] ?? ''));
      const outcomes: Record<string, Outcome> = {};
      const expected: Record<string, Outcome> = {};
      for (const url of urls) {
        // Each request has its own session, because one of the routes is the sign-out.
        const cookie = (await caller.cookie?.()) ?? '';
        const headers = (await caller.headers?.()) ?? {};
        for (const method of methods) {
          const { statusCode } = await call(`${method} ${url}`, { cookie, headers });
          outcomes[`${method} ${url}`] = outcomeOf(method, url, statusCode);
          expected[`${method} ${url}`] = expectedOutcome(method, url, caller);
        }
      }

      expect(outcomes).toEqual(expected);
    },
  );

  test('without an access stops the start', async () => {
    const app = fastify();
    const { db } = store.database;
    guardRoutes(app, {
      db,
      cookies: { isSecure: false },
      sessionPolicy: { providerIssuer: '', adminEmails: [], adminClaim: undefined },
      findSession: async () => undefined,
      ownOrigins: [],
      settings: { metricsToken: '', isDemo: false },
    });
    app.get('/forgotten', async () => 'everything');

    await expect(app.ready()).rejects.toThrow('GET /forgotten declares no access');
  });
});

describe('a page of another site', () => {
  test('cannot use any route that writes with the visitor’s session', async () => {
    const cookie = await store.signIn({ sub: 'k', email: 'admin@example.com' });
    const noBrowserSends = [
      '',
      'null',
      'Same-Origin',
      'same-origin;',
      'same-origin, same-origin',
      '"same-origin"',
    ];
    const foreign: Record<string, string>[] = [
      ...noBrowserSends.map((site) => ({ 'sec-fetch-site': site, origin: 'http://localhost:3000' })),
      { 'sec-fetch-site': '' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];

    for (const route of Object.keys(table).filter((route) => !route.startsWith('GET ')))
      for (const headers of foreign) {
        const { statusCode, payload } = await call(route, { cookie, headers });
        const outcome = [statusCode, payload.includes('CROSS_SITE_REQUEST')];
        expect([route, headers, ...outcome]).toEqual([route, headers, 403, true]);
      }
  });

  test('cannot let an admin’s browser open what the desk reads, as a link in the store can', async () => {
    const cookie = await store.signIn({ sub: 'k', email: 'admin@example.com' });
    const ofTheStore = [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}];
    const allowed = { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' };
    const foreign = ['cross-site', 'same-site', 'Same-Origin', 'nowhere'].flatMap((site) => [
      { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-site': site, origin: 'https://evil.example' },
    ]);

    for (const route of Object.keys(table)) {
      if (!route.startsWith('GET ') || table[route] !== 'desk') continue;
      const codeFor = async (headers: Record<string, string>) => {
        const { statusCode, body } = await call(route, { cookie, headers });
        return [route, headers, statusCode === 403 ? JSON.parse(body).code : 'admitted'];
      };
      for (const headers of foreign)
        expect(await codeFor(headers)).toEqual([route, headers, 'CROSS_SITE_REQUEST']);
      for (const headers of [...ofTheStore, allowed])
        expect(await codeFor(headers)).toEqual([route, headers, 'admitted']);
    }
    // A link in a mail comes from another site, and may open the desk's pages.
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' };
    for (const page of Object.keys(table).filter((route) => /^GET \/desk(\/\w+)?$/.test(route)))
      expect([page, (await call(page, { headers })).statusCode]).toEqual([page, 200]);
  });

  test('cannot write with Sec-Fetch-Site or Origin sent twice', async () => {
    for (const [name, value] of [
      ['Sec-Fetch-Site', 'same-origin'],
      ['Origin', 'http://localhost:3000'],
    ] as const) {
      const head = [
        'POST /auth/sign-out HTTP/1.1',
        'Host: localhost',
        'Connection: close',
        'Content-Length: 0',
      ];
      const twice = [...head, `${name}: ${value}`, `${name}: ${value}`, '', ''].join('\r\n');
      expect(await exchange(store.origin, twice), name).toMatch(/^HTTP\/1\.1 403 /);
    }
  });

  test('cannot read a response with the visitor’s session', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    const { app } = await openTestStore({ settings: { allowedOrigins: ['https://shop.example'] } });
    const read = await app.inject({ url: '/auth/session', headers });
    const preflight = await app.inject({ method: 'OPTIONS', url: '/auth/session', headers });

    expect(read.headers['access-control-allow-origin']).toBeUndefined();
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('the store’s own pages, allowed origins and clients other than browsers may write', async () => {
  const other = await openTestStore({ settings: { allowedOrigins: ['https://shop.example'] } });
  const signOut = async (headers: Record<string, string>) =>
    (await other.app.inject({ method: 'POST', url: '/auth/sign-out', headers })).statusCode;

  for (const headers of [
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' },
    { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'same-site', origin: 'https://shop.example' },
    {},
  ])
    expect([headers, await signOut(headers)]).toEqual([headers, 204]);
  const { headers } = await other.app.inject({ url: '/books', headers: { origin: 'https://shop.example' } });
  expect(headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(headers['access-control-allow-credentials']).toBe('true');
  for (const name of ['link', 'etag', 'date'])
    expect(headers['access-control-expose-headers']).toContain(name);
  expect(headers.vary?.toLowerCase()).toBe('origin, accept-encoding');
  for (const [method, url, header] of [
    ['DELETE', '/deleteBook/1', 'idempotency-key'],
    ['PATCH', '/book/1', 'if-match'],
  ] as const) {
    const asked = { 'access-control-request-method': method, 'access-control-request-headers': header };
    const headers = { origin: 'https://shop.example', ...asked };
    const preflight = await other.app.inject({ method: 'OPTIONS', url, headers });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain(method);
    expect(preflight.headers['access-control-allow-headers']).toBe(header);
  }
  const noPreflight = await other.app.inject({ method: 'OPTIONS', url: '/books' });
  expect([noPreflight.statusCode, noPreflight.body]).toEqual([204, '']);
});
