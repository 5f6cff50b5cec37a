import { beforeAll, describe, expect, test } from 'vitest';
import { screenPatterns, screens } from '../../contract/paths.ts';
import { addBook } from '../catalogue/books.ts';
import { exchange } from '../testing/exchange.ts';
import { emma, openTestStore, shareTestStore, type TestStore } from '../testing/test-store.ts';

const store = shareTestStore();
let bookId: string;
beforeAll(async () => {
  bookId = (await addBook(store.database.db, { ...emma, series: 'Novels' }, null)).id;
});

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const pageHeadersWith = (images: string) => ({
  ...commonHeaders,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src ${images}; ` +
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
});
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";
const policyNames = Object.keys(pageHeadersWith(''));
const securityHeadersIn = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => policyNames.includes(name)));

const popup = '/auth/sign-in?attempt=5a3f9c1e-0000-4000-8000-000000000000';

test('each screen is the app, with its security headers, and is revalidated on every use', async () => {
  const slugs: Record<string, string> = {
    [screens.author.pattern]: 'jane-austen',
    [screens.series.pattern]: 'novels',
  };
  for (const pattern of screenPatterns) {
    const path = pattern.replace(/:\w+/, slugs[pattern] ?? bookId);
    const response = await store.call(path, { headers: { accept: 'text/html' } });

    expect([response.status, await response.text()], pattern).toEqual([
      200,
      expect.stringContaining('"name":"Colophon","providerName":"Example"'),
    ]);
    expect(response.headers.get('cache-control'), pattern).toMatch(/^(public, )?no-cache$/);
    expect(securityHeadersIn(response), pattern).toEqual(pageHeadersWith("'self' https:"));
  }
});

describe('the security headers', () => {
  test('of the not-found screen and of the last page of the popup are those of a page', async () => {
    for (const [address, images] of [
      ['/nowhere', "'self' https:"],
      [popup, "'self'"],
    ] as const) {
      const response = await store.call(address, { headers: { accept: 'text/html' } });

      expect(response.headers.get('content-type'), address).toBe('text/html; charset=utf-8');
      expect(securityHeadersIn(response), address).toEqual(pageHeadersWith(images));
    }
  });

  test('of /books and of all that is no page are exactly these, also without the framework', async () => {
    for (const address of [
      ...['/books', '/books', '/auth/session', '/book/none', '/openapi.json', '/sitemap.xml', '/feed.atom'],
      ...['/sitemaps/pages.xml', '/robots.txt', '/manifest.webmanifest', '/assets/home-abc123.js', '/%zz'],
    ]) {
      expect(securityHeadersIn(await store.call(address)), address).toEqual({
        ...commonHeaders,
        'content-security-policy': dataPolicy,
      });
    }
    // The store sends these responses without the framework.
    const response = await exchange(store.origin, 'nonsense\r\n\r\n');
    for (const [name, value] of Object.entries({ ...commonHeaders, 'content-security-policy': dataPolicy })) {
      expect(response).toContain(`\r\n${name}: ${value}\r\n`);
    }
  });

  test('of a page name IMAGE_ORIGINS and the origin of the API; all demand https when browsers reach the store by https, and only then', async () => {
    const shop = await openTestStore({
      settings: { publicUrl: new URL('https://books.example'), imageOrigins: ['https://covers.example'] },
      apiHost: 'https://api.example',
    });
    const demandsOf = async ({ call, origin }: TestStore) => {
      const answers = await Promise.all(['/', '/books', '/%zz'].map((address) => call(address)));
      const raw = /strict-transport-security: (.*)\r\n/.exec(await exchange(origin, 'nonsense\r\n\r\n'));
      return [...answers.map(({ headers }) => headers.get('strict-transport-security')), raw?.[1] ?? null];
    };

    const policy = (await shop.call('/')).headers.get('content-security-policy')?.split('; ');
    expect(policy).toContain("img-src 'self' https://api.example https://covers.example");
    expect(policy).toContain("connect-src 'self' https://api.example");
    expect(await demandsOf(shop)).toEqual(Array(4).fill('max-age=31536000'));
    expect(await demandsOf(store)).toEqual(Array(4).fill(null));
  });
});
