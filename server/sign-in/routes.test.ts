import makeFetchCookie from 'fetch-cookie';
import { CookieJar } from 'tough-cookie';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listActivity } from '../activity/activity.ts';
import { type IdentityProvider, startIdentityProvider } from '../demo/identity-provider.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { openTestStore, readJson, type TestStore, type TestStoreOptions } from '../testing/test-store.ts';
import { signInProvider } from './provider.ts';

const client = { clientId: 'colophon', clientSecret: 'a secret' };
const publicUrl = new URL('http://localhost:3000');
const callbackUrl = new URL('/auth/callback', publicUrl);

let port: number;
let provider: IdentityProvider;
let store: TestStore;
let logged: string[] = [];
let shared: TestStore;
beforeAll(async () => {
  port = await findFreePort();
  provider = await startDemoProvider();
  shared = await openStore({ settings: { allowedOrigins: ['https://pages.example'] } });
  return async () => {
    await shared.close();
    await provider.close();
  };
});
beforeEach(() => {
  logged = [];
  store = shared;
});

const openStore = ({ settings, ...options }: TestStoreOptions = {}) =>
  openTestStore({
    onLog: (line) => logged.push(line),
    settings: { publicUrl, hasRateLimits: false, ...settings },
    provider: signInProvider({ ...client, issuer: provider.issuer, callbackUrl, retryIntervalMs: 0 }),
    ...options,
  });

const startDemoProvider = () =>
  startIdentityProvider({
    ...client,
    host: '127.0.0.1',
    port,
    issuer: `http://localhost:${port}`,
    storeName: 'Colophon',
    redirectUri: callbackUrl.href,
    storeOrigin: publicUrl.origin,
  });

/** A client with a browser's cookies and redirects. Requests to the public address go to the store under test. */
function openBrowser() {
  const jar = new CookieJar();
  const fetchAsBrowser = makeFetchCookie(fetch, jar);
  const browser = {
    jar,
    visit: (address: string | URL, init: RequestInit = {}): Promise<Response> => {
      const url = new URL(address, publicUrl);
      const target = url.origin === publicUrl.origin ? new URL(url.pathname + url.search, store.origin) : url;
      return fetchAsBrowser(target, { ...init, redirect: 'manual' });
    },
    /** Follows redirects to the first page, or to the first address for which `stopAt` is true. */
    async follow(
      address: string | URL,
      init?: RequestInit,
      stopAt: (url: URL) => boolean = () => false,
    ): Promise<{ url: URL; response: Response }> {
      const url = new URL(address, publicUrl);
      const response = await browser.visit(url, init);
      const location = response.headers.get('location');
      if (location === null) return { url, response };
      const next = new URL(location, url);
      return stopAt(next) ? { url: next, response } : browser.follow(next, {}, stopAt);
    },
    session: async () => readJson(await browser.visit('/auth/session')),
  };
  return browser;
}
type Browser = ReturnType<typeof openBrowser>;

const signInAsAda = (browser: Browser, query: string): Promise<URL> =>
  submitAtProvider(browser, query, { name: 'Ada Lovelace', email: 'Ada@Example.com' });

/** Submits the provider's form. @returns the callback address that the provider redirects to, not yet visited. */
async function submitAtProvider(browser: Browser, query: string, form: Record<string, string>): Promise<URL> {
  const chooser = await browser.follow(`/auth/sign-in?${query}`);
  const html = await chooser.response.text();
  const action = /<form[^>]+action="([^"]+)"/.exec(html)?.[1] ?? '';
  const { url } = await browser.follow(
    new URL(action, chooser.url),
    { method: 'POST', body: new URLSearchParams(form) },
    (next) => next.origin === publicUrl.origin,
  );
  return url;
}

const attempt = 'attempt=3f0e3c1c-7d0c-4b0e-9a55-0d1f7c1b2a3d';

describe('a sign-in in a popup', () => {
  test('begins a session and reports it on the attempt’s channel; the next one has a new id and ends the earlier session', async () => {
    const browser = openBrowser();
    expect(await browser.session()).toBeNull();

    const page = await browser.visit(await signInAsAda(browser, attempt));

    expect(page.status).toBe(200);
    expect(await page.text()).toContain(
      '<body data-channel="sign-in-3f0e3c1c-7d0c-4b0e-9a55-0d1f7c1b2a3d" data-signed-in="true">',
    );
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    const ada = { userName: 'Ada Lovelace', email: 'Ada@Example.com', photo: '' };
    expect(await browser.session()).toEqual(ada);

    const cookie = await browser.jar.getCookieString(store.origin);
    await browser.visit(await signInAsAda(browser, attempt));
    expect(await browser.jar.getCookieString(store.origin)).not.toBe(cookie);
    expect(await readJson(await store.call('/auth/session', { cookie }))).toBeNull();
  });

  test('cannot be finished in a browser that did not begin it', async () => {
    const victim = openBrowser();
    const callback = await signInAsAda(openBrowser(), attempt);

    expect((await victim.visit(callback)).headers.get('location')).toBe('/login');
    expect(await victim.session()).toBeNull();
  });

  test.each([
    ['a forged code', (callback: URL) => callback.searchParams.set('code', 'forged')],
    ['another issuer', (callback: URL) => callback.searchParams.set('iss', 'https://evil.example')],
    ['an error from the provider', (callback: URL) => callback.searchParams.set('error', 'access_denied')],
  ])('with %s reports its failure and begins no session', async (_name, change) => {
    const browser = openBrowser();
    const callback = await signInAsAda(browser, attempt);
    change(callback);

    const page = await browser.visit(callback);

    expect(await page.text()).toContain('data-signed-in="false"');
    expect(await browser.session()).toBeNull();
  });

  test('reports its failure while the provider is down, and works again afterwards', async () => {
    store = await openStore();
    await provider.close();
    const browser = openBrowser();

    const page = await browser.visit(`/auth/sign-in?${attempt}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('data-signed-in="false"');

    provider = await startDemoProvider();
    await browser.visit(await signInAsAda(browser, attempt));
    expect(await browser.session()).toMatchObject({ email: 'Ada@Example.com' });
  });

  test('does not add a cookie for every attempt of a browser', async () => {
    const browser = openBrowser();
    for (let index = 0; index < 30; index += 1) await browser.visit(`/auth/sign-in?${attempt}`);

    expect((await browser.jar.getCookies(store.origin)).length).toBeLessThanOrEqual(5);
  });

  test('rejects the attempt name that is empty, too long or no word', async () => {
    for (const name of ['<script>alert(1)</script>', 'a'.repeat(65), '']) {
      const response = await store.call(`/auth/sign-in?attempt=${encodeURIComponent(name)}`);
      expect(await readJson(response, 400)).toMatchObject({ errors: [{ field: 'attempt' }] });
    }
  });
});

test('a sign-in of an admin is in the audit trail, and that of another customer is not', async () => {
  store = await openStore({ settings: { adminEmails: ['ada@example.com'] } });

  for (const email of ['Ada@Example.com', 'grace@example.com']) {
    const browser = openBrowser();
    const form = { name: 'Someone', email };
    await browser.visit(await submitAtProvider(browser, attempt, form));
    expect(await browser.session()).toMatchObject({ email });
  }

  const { entries } = await listActivity(store.database.db, { limit: 10 });
  const about = { customerId: expect.any(String), address: '127.0.0.1', token: null, subject: null };
  expect(entries).toMatchObject([{ action: 'admin-signed-in', email: 'Ada@Example.com', ...about }]);
});

describe('a sign-in in the same tab', () => {
  test('redirects to the page of the store that the visitor came from; one that fails to the login screen, with that page', async () => {
    const browser = openBrowser();
    const callback = await signInAsAda(browser, 'returnTo=%2Fcheckout%2F1%3Fa%3Db');
    expect((await browser.visit(callback)).headers.get('location')).toBe('/checkout/1?a=b');
    expect(await browser.session()).toMatchObject({ userName: 'Ada Lovelace' });

    const forged = await signInAsAda(browser, 'returnTo=%2Forders');
    forged.searchParams.set('code', 'forged');
    expect((await browser.visit(forged)).headers.get('location')).toBe('/login?returnTo=%2Forders');

    for (const elsewhere of ['//evil.example', 'https:evil.example', 'javascript:alert(1)']) {
      const query = `returnTo=${encodeURIComponent(elsewhere)}`;
      const { headers } = await browser.visit(await signInAsAda(browser, query));
      expect([elsewhere, headers.get('location')]).toEqual([elsewhere, '/']);
    }
  });

  test('that a page of another site begins ends at the login screen', async () => {
    const fromHere = { referer: `${publicUrl.origin}/` };
    const image = { 'sec-fetch-dest': 'image' };
    for (const [site, headers, leadsTo] of [
      ['cross-site', { referer: 'https://evil.example/' }, '/login'],
      ['cross-site', {}, '/login'],
      ['same-site', { referer: 'https://evil.shop.example/' }, '/login'],
      ['Cross-Site', {}, '/login'],
      ['cross-site, cross-site', fromHere, '/login'],
      ['same-origin', image, '/login'],
      ['cross-site', { ...image, ...fromHere }, '/login'],
      ['none', { 'sec-fetch-dest': 'iframe' }, '/login'],
      // The store's own page, a page of an allowed origin, or the visitor starts the sign-in.
      [undefined, {}, provider.issuer],
      ['same-origin', {}, provider.issuer],
      ['none', {}, provider.issuer],
      ['same-origin', { 'sec-fetch-dest': 'document' }, provider.issuer],
      ['cross-site', { referer: 'https://pages.example/' }, provider.issuer],
      ['same-site', fromHere, provider.issuer],
    ] as const) {
      const sent = { ...headers, ...(site && { 'sec-fetch-site': site }) };
      const response = await store.call('/auth/sign-in?returnTo=%2Forders', { headers: sent });
      const isRefused = leadsTo === '/login';
      const address = isRefused ? '/login?returnTo=%2Forders' : expect.stringContaining(`${leadsTo}/`);
      expect([sent, response.headers.get('location')]).toEqual([sent, address]);
      expect(response.headers.getSetCookie()).toHaveLength(isRefused ? 0 : 1);
    }
  });
});

test('a sign-in while the database is away gets 503 with Retry-After and the popup’s last page, and is logged without a stack', async ({
  skip,
}) => {
  skip(isOnPostgres(), 'a pool that this process has closed is a fault, not an outage');
  store = await openStore();
  const browser = openBrowser();
  const callback = await signInAsAda(browser, attempt);
  logged = [];
  await store.database.close();

  const page = await browser.visit(callback);

  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toContain('data-signed-in="false"');
  expect(logged.map((line) => JSON.parse(line)).filter(({ level }) => level > 30)).toContainEqual(
    expect.objectContaining({ level: 40, outcome: 'failed', msg: 'a sign-in failed' }),
  );
});

describe('signing out', () => {
  const signOut = (cookie: string, json?: unknown) =>
    store.call('/auth/sign-out', { method: 'POST', json, cookie });
  const areSignedIn = (...cookies: string[]) =>
    Promise.all(
      cookies.map(async (cookie) => (await readJson(await store.call('/auth/session', { cookie }))) !== null),
    );

  test('ends the session on the server, so that a copy of the cookie is useless, and no other one', async () => {
    const elsewhere = await store.signIn();
    for (const json of [{}, { everywhere: false }, undefined]) {
      const here = await store.signIn();
      const response = await signOut(here, json);
      expect(response.status).toBe(204);
      expect(response.headers.getSetCookie().join()).toContain('colophon-session=;');
      expect(await areSignedIn(here, elsewhere)).toEqual([false, true]);
    }
    for (const everywhere of ['true', 1, null, [], {}])
      expect([everywhere, (await signOut(elsewhere, { everywhere })).status]).toEqual([everywhere, 400]);
    // Signing out without a session is no error.
    const headers = { 'content-type': 'application/json' };
    expect((await store.call('/auth/sign-out', { method: 'POST', headers })).status).toBe(204);
  });

  test('everywhere ends every session of the customer, and of no other customer; without a session it says that it ends nothing', async () => {
    const [here, elsewhere] = [await store.signIn(), await store.signIn()];
    const other = await store.signIn({ sub: 'other' });

    const response = await signOut(here, { everywhere: true });

    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie().join()).toContain('colophon-session=;');
    expect(await areSignedIn(here, elsewhere, other)).toEqual([false, false, true]);
    for (const cookie of ['', 'colophon-session=ended']) {
      const again = await signOut(cookie, { everywhere: true });
      expect(again.headers.getSetCookie().join()).toContain('colophon-session=;');
      expect(await readJson(again, 401)).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    }
  });
});

test('the session cookie is HttpOnly and SameSite=Lax, and over https bound to the host', async () => {
  const secure = await openTestStore({ settings: { publicUrl: new URL('https://shop.example') } });
  const cookie = await secure.signIn();
  const browser = openBrowser();
  const page = await browser.visit(await signInAsAda(browser, attempt));

  expect(page.headers.getSetCookie().find((line) => line.startsWith('colophon-session='))).toMatch(
    /^colophon-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const ended = await secure.call('/auth/sign-out', { method: 'POST', cookie });
  expect(ended.headers.getSetCookie().join()).toMatch(
    /^__Host-colophon-session=;.*Path=\/.*HttpOnly; Secure/,
  );
  expect(ended.headers.get('strict-transport-security')).toBe('max-age=31536000');
});
