import { beforeAll, describe, expect, test } from 'vitest';
import { screenPatterns } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { exchange } from '../testing/exchange.ts';
import { emma, openTestStore, shareTestStore, type TestStore } from '../testing/test-store.ts';

const store = shareTestStore();
let bookId: string;
beforeAll(async () => {
  bookId = (await addBook(store.database.db, emma, null)).id;
});

/** Without those of `Content-Security-Policy`, which differ by kind. */
const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const pagePolicyOf = (images: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src ${images}; ` +
  "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";
const policyNames = [...Object.keys(commonHeaders), ...Object.keys(pageHeaders), 'content-security-policy'];
const securityHeadersIn = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => policyNames.includes(name)));

test.each(screenPatterns)(
  '%s is the app, with its security headers, and is revalidated on every use',
  async (pattern) => {
    const response = await store.call(pattern.replace(/:\w+/, bookId), { headers: { accept: 'text/html' } });

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"name":"Colophon","providerName":"Example"');
    expect(response.headers.get('cache-control')).toMatch(/^(public, )?no-cache$/);
    expect(securityHeadersIn(response)).toEqual({
      ...commonHeaders,
      ...pageHeaders,
      'content-security-policy': pagePolicyOf("'self' https:"),
    });
  },
);

describe('the security headers', () => {
  test.each([
    ['the not-found screen', '/nowhere', "'self' https:"],
    ['the last page of the popup', '/auth/sign-in?attempt=5a3f9c1e-0000-4000-8000-000000000000', "'self'"],
  ])('of %s are exactly these', async (_, address, images) => {
    const response = await store.call(address, { headers: { accept: 'text/html' } });

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(securityHeadersIn(response)).toEqual({
      ...commonHeaders,
      ...pageHeaders,
      'content-security-policy': pagePolicyOf(images),
    });
  });

  test.each([
    ...['/books', '/books', '/auth/session', '/book/none', '/openapi.json', '/sitemap.xml', '/feed.atom'],
    ...['/sitemaps/pages.xml', '/robots.txt', '/manifest.webmanifest', '/assets/home-abc123.js', '/%zz'],
  ])('of %s are exactly these', async (address) => {
    expect(securityHeadersIn(await store.call(address))).toEqual({
      ...commonHeaders,
      'content-security-policy': dataPolicy,
    });
  });

  test('of a page name IMAGE_ORIGINS and the origin of the API, where the store’s own images are', async () => {
    const imageOrigins = ['https://covers.example', 'https://images.example'];
    const narrow = await openTestStore({ settings: { imageOrigins }, apiHost: 'https://api.example' });

    const policy = (await narrow.call('/')).headers.get('content-security-policy');

    expect(policy?.split('; ')).toEqual(
      expect.arrayContaining([
        "img-src 'self' https://api.example https://covers.example https://images.example",
        "connect-src 'self' https://api.example",
      ]),
    );
  });

  test('are in what the server sends without the framework', async () => {
    const response = await exchange(store.origin, 'nonsense\r\n\r\n');

    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    for (const [name, value] of Object.entries({ ...commonHeaders, 'content-security-policy': dataPolicy })) {
      expect(response).toContain(`\r\n${name}: ${value}\r\n`);
    }
  });

  test('demand https when browsers reach the store by https, and only then', async () => {
    const shop = await openTestStore({ settings: { publicUrl: new URL('https://books.example') } });
    const demandsOf = async (of: TestStore) => [
      (await of.call('/')).headers.get('strict-transport-security'),
      (await of.call('/books')).headers.get('strict-transport-security'),
      (await of.call('/%zz')).headers.get('strict-transport-security'),
      /strict-transport-security: (.*)\r\n/.exec(await exchange(of.origin, 'nonsense\r\n\r\n'))?.[1] ?? null,
    ];
    const demands = await demandsOf(shop);

    expect(demands).toEqual(Array(4).fill('max-age=31536000'));
    expect(await demandsOf(store)).toEqual(Array(4).fill(null));
  });
});
