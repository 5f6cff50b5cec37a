import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import makeFetchCookie from 'fetch-cookie';
import * as oidc from 'openid-client';
import { CookieJar } from 'tough-cookie';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';

const clientId = 'the-store';
const clientSecret = 'a secret that the store and its demo provider share';
const storeOrigin = 'http://localhost:9';
const redirectUri = `${storeOrigin}/auth/callback`;

let port: number;
let provider: IdentityProvider;
let faults: Error[];
let config: oidc.Configuration;
const start = () =>
  startIdentityProvider({
    host: '127.0.0.1',
    port,
    issuer: `http://localhost:${port}`,
    storeName: 'Reed & Sons',
    clientId,
    clientSecret,
    redirectUri,
    storeOrigin,
    onError: (error) => faults.push(error),
  });
beforeEach(async () => {
  faults = [];
  await startAnew();
});
afterEach(async () => {
  await provider.close();
  expect(faults).toEqual([]);
});

/** On a port of its own, for the client's pool may hold connections to the last one. */
async function startAnew(): Promise<void> {
  port = await findFreePort();
  provider = await start();
  config = await oidc.discovery(new URL(provider.issuer), clientId, clientSecret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return freePort;
}

/** A browser with cookies that follows redirects, but not to the store, where nobody is at home. */
function openBrowser() {
  const call = makeFetchCookie(fetch, new CookieJar());
  return {
    async go(address: string | URL, init: RequestInit = {}): Promise<Response> {
      const headers = { accept: 'text/html', ...init.headers };
      const response = await call(address, { ...init, headers, redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null) return response;
      const target = new URL(location, address);
      return target.origin === storeOrigin ? response : this.go(target);
    },
    post(address: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
      return this.go(address, { method: 'POST', body: new URLSearchParams(fields), headers });
    },
  };
}
type Browser = ReturnType<typeof openBrowser>;

const codeVerifier = oidc.randomPKCECodeVerifier();
const codeChallenge = await oidc.calculatePKCECodeChallenge(codeVerifier);

const authorizationUrl = (changes: Record<string, string> = {}): URL =>
  oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...changes,
  });

/** The chooser's page, and the address that its forms are sent to. */
async function openChooser(browser: Browser): Promise<{ page: Response; html: string; address: string }> {
  const page = await browser.go(authorizationUrl());
  const html = await page.text();
  const path = /<form class="people" method="post" action="([^"]+)"/.exec(html)?.[1] ?? 'no form';
  return { page, html, address: new URL(path, provider.issuer).href };
}

async function finish(answer: Response) {
  expect(answer.status).toBe(303);
  const tokens = await oidc.authorizationCodeGrant(config, new URL(answer.headers.get('location') ?? ''), {
    expectedState: 'the state',
    expectedNonce: 'the nonce',
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('no id token');
  return { tokens, claims };
}

async function signInAs(fields: Record<string, string>, browser = openBrowser()) {
  const { address } = await openChooser(browser);
  return finish(await browser.post(address, fields));
}

describe('signing in', () => {
  test('as a demo person takes one press, and the id token tells who it is', async () => {
    const { claims, tokens } = await signInAs({ person: 'zoe@example.com' });

    expect(claims).toMatchObject({
      iss: provider.issuer,
      aud: clientId,
      name: 'Zoë Lindqvist',
      email: 'zoe@example.com',
      email_verified: true,
    });
    expect(claims.exp - claims.iat).toBeLessThanOrEqual(300);
    expect(tokens.expires_in).toBeLessThanOrEqual(300);
    expect(tokens.refresh_token).toBeUndefined();
  });

  test('as anyone takes a name and an e-mail', async () => {
    const { claims } = await signInAs({ name: '  Ólafur   Þór ', email: ' olafur@example.org ' });

    expect(claims).toMatchObject({ name: 'Ólafur Þór', email: 'olafur@example.org', email_verified: true });
  });

  test('tells the same to whoever asks for user info', async () => {
    const { tokens, claims } = await signInAs({ person: 'ada@example.com' });

    const told = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);

    expect(told).toEqual({
      sub: claims.sub,
      name: 'Ada Marlowe',
      email: 'ada@example.com',
      email_verified: true,
    });
  });

  test('asks for a person every time, and another one may follow in the same browser', async () => {
    const browser = openBrowser();
    const first = await signInAs({ person: 'ada@example.com' }, browser);
    const second = await signInAs({ person: 'jun@example.com' }, browser);

    expect(first.claims['name']).toBe('Ada Marlowe');
    expect(second.claims['name']).toBe('Jun Nakagawa');
    expect(second.claims.sub).not.toBe(first.claims.sub);
  });

  test('works in two windows at once, each for itself', async () => {
    const browser = openBrowser();
    const one = await openChooser(browser);
    const other = await openChooser(browser);

    const { claims } = await finish(await browser.post(one.address, { person: 'ada@example.com' }));
    const { claims: others } = await finish(await browser.post(other.address, { person: 'jun@example.com' }));

    expect([claims['name'], others['name']]).toEqual(['Ada Marlowe', 'Jun Nakagawa']);
  });

  test('with the same e-mail is the same customer, however it is cased and also after a restart', async () => {
    const { claims: before } = await signInAs({ person: 'ada@example.com' });
    await provider.close();
    await startAnew();

    const { claims: after } = await signInAs({ name: 'A. Marlowe', email: 'Ada@Example.com' });

    expect(after.sub).toBe(before.sub);
    expect(after['name']).toBe('A. Marlowe');
  });

  test('given up ends with access_denied and the state at the store', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);

    const answer = await browser.post(`${address}/cancel`, {});

    const target = new URL(answer.headers.get('location') ?? '');
    expect(target.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });
  });
});

describe('the chooser', () => {
  test('keeps what was typed and says at the field what is wrong with it', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);

    const answer = await browser.post(address, { name: 'Ada', email: 'ada at example.com' });
    const html = await answer.text();

    expect(answer.status).toBe(400);
    expect(html).toContain(
      '<p class="fault" id="email-fault">Enter an address such as reader@example.com.</p>',
    );
    expect(html).toMatch(
      /<input id="email"[^>]+value="ada at example.com" aria-invalid="true" aria-describedby="email-fault"/,
    );
    expect(html).toMatch(/<input id="name"[^>]+value="Ada">/);
  });

  test.each([
    { name: ' \u00a0 ', email: 'a@example.com', fault: 'Enter a name.' },
    { name: 'x'.repeat(101), email: 'a@example.com', fault: 'Use at most 100 characters.' },
    { name: 'Ada', email: '', fault: 'Enter an e-mail address.' },
    { name: 'Ada', email: 'a@b@example.com', fault: 'Enter an address such as reader@example.com.' },
    { name: 'Ada', email: 'a\u0007@example.com', fault: 'Enter an address such as reader@example.com.' },
    { name: 'Ada', email: `a@${'x'.repeat(253)}`, fault: 'Use at most 254 characters.' },
  ])('refuses $name <$email>: $fault', async ({ fault, ...typed }) => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);

    const answer = await browser.post(address, typed);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`>${fault}</p>`);
  });

  test('lets a mistake be corrected', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);
    await browser.post(address, { name: '', email: '' });

    const { claims } = await finish(await browser.post(address, { name: 'Ada', email: 'a@example.com' }));

    expect(claims['name']).toBe('Ada');
  });

  test('shows names as text, whatever they hold', async () => {
    const browser = openBrowser();
    const { html: fresh, address } = await openChooser(browser);

    const answer = await browser.post(address, { name: `"><script>'&`, email: '"><script>' });
    const html = await answer.text();

    expect(fresh).toContain('<h1>Sign in to Reed &amp; Sons</h1>');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;&#39;&amp;"');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(html).not.toContain('<script');
  });

  test('takes its form from its own pages only', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);
    const ada = { person: 'ada@example.com' };

    const refused = [
      await browser.post(address, ada, { 'sec-fetch-site': 'cross-site' }),
      await browser.post(address, ada, { 'sec-fetch-site': 'same-site' }),
      await browser.post(`${address}/cancel`, ada, { 'sec-fetch-site': 'cross-site' }),
      await browser.post(address, ada, { origin: 'https://elsewhere.example' }),
    ];
    const taken = await browser.post(address, ada, { 'sec-fetch-site': 'same-origin', origin: 'null' });

    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await finish(taken)).claims['name']).toBe('Ada Marlowe');
  });

  test('takes nothing that is no form, and no form of more than 10 KB', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);

    const json = await browser.go(address, {
      method: 'POST',
      body: '{"person":"ada@example.com"}',
      headers: { 'content-type': 'application/json' },
    });
    const long = await browser.post(address, { name: 'x'.repeat(11_000), email: 'a@example.com' });

    expect(json.status).toBe(415);
    expect(long.status).toBe(413);
  });
});

describe('a sign-in that has ended', () => {
  const endedTitle = '<title>This sign-in has ended</title>';

  test('says so when its page is opened again or sent once more', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);
    await browser.post(address, { person: 'ada@example.com' });

    const reloaded = await browser.go(address);
    const sentAgain = await browser.post(address, { person: 'ada@example.com' });

    for (const answer of [reloaded, sentAgain]) {
      expect(answer.status).toBe(410);
      const html = await answer.text();
      expect(html).toContain(endedTitle);
      expect(html).toContain(`href="${storeOrigin}"`);
    }
  });

  test('is what another browser and an unknown address see', async () => {
    const { address } = await openChooser(openBrowser());

    const foreign = await openBrowser().go(address);
    const foreignChoice = await openBrowser().post(address, { person: 'ada@example.com' });
    const unknown = await openBrowser().go(`${provider.issuer}/sign-in/unknown`);
    const unknownReturn = await openBrowser().go(`${provider.issuer}/authorize/unknown`);

    for (const answer of [foreign, foreignChoice, unknown, unknownReturn]) {
      expect(answer.status).toBe(410);
      expect(await answer.text()).toContain(endedTitle);
    }
  });
});

describe('the provider', () => {
  test('refuses a request without PKCE, and one with the plain method', async () => {
    const without = authorizationUrl();
    without.searchParams.delete('code_challenge');
    without.searchParams.delete('code_challenge_method');
    const plain = authorizationUrl({ code_challenge_method: 'plain' });

    for (const address of [without, plain]) {
      const answer = await openBrowser().go(address);
      const target = new URL(answer.headers.get('location') ?? '');
      expect(target.searchParams.get('error')).toBe('invalid_request');
      expect(target.searchParams.get('state')).toBe('the state');
    }
  });

  test('gives tokens to the store alone: for its secret and its verifier, and a code just once', async () => {
    const browser = openBrowser();
    const { address } = await openChooser(browser);
    const answer = await browser.post(address, { person: 'ada@example.com' });
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const exchange = (changes: Record<string, string> = {}) =>
      browser.post(`${provider.issuer}/token`, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        client_id: clientId,
        client_secret: clientSecret,
        ...changes,
      });

    const withoutSecret = await exchange({ client_secret: 'guessed' });
    const withoutVerifier = await exchange({ code_verifier: oidc.randomPKCECodeVerifier() });
    const first = await exchange();
    const second = await exchange();

    expect([withoutSecret, withoutVerifier, first, second].map(({ status }) => status)).toEqual([
      401, 400, 200, 400,
    ]);
  });

  test('answers a wrong request and an unknown address with a plain page', async () => {
    const browser = openBrowser();

    const wrongReturn = await browser.go(authorizationUrl({ redirect_uri: 'https://elsewhere.example/' }));
    const wrongClient = await browser.go(authorizationUrl({ client_id: '<b>nobody</b>' }));
    const unknown = await browser.go(`${provider.issuer}/nowhere`);
    const malformed = await browser.go(`${provider.issuer}/%E0%A4%A`);

    const answers = [wrongReturn, wrongClient, unknown, malformed];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
    for (const answer of answers) {
      const html = await answer.text();
      expect(html).toContain('<main>');
      expect(html).not.toMatch(/<b>| at .+:\d+:\d+/);
    }
  });

  test('sends its pages with headers that allow them no more than they need', async () => {
    const browser = openBrowser();
    const { page, address } = await openChooser(browser);
    const refused = await browser.post(address, {});
    const ended = await openBrowser().go(address);

    for (const { headers } of [page, refused, ended]) {
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${storeOrigin}; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  test('serves what its pages link to', async () => {
    const browser = openBrowser();
    const { html } = await openChooser(browser);
    const [icon = '', sheet = ''] = [...html.matchAll(/<link [^>]*href="([^"]+)"/g)].map((link) => link[1]);

    const types = await Promise.all(
      [icon, sheet].map(async (path) => {
        const { status, headers } = await browser.go(new URL(path, provider.issuer));
        return [status, headers.get('content-type')];
      }),
    );

    expect(types).toEqual([
      [200, 'image/svg+xml'],
      [200, 'text/css; charset=utf-8'],
    ]);
  });

  test('names its cookies apart from the store’s and keeps them from scripts and from the store', async () => {
    const jar = new CookieJar();
    const call = makeFetchCookie(fetch, jar);
    await call(authorizationUrl());

    const cookies = (await jar.serialize()).cookies;

    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'lax' });
      expect(cookie['key']).toMatch(/^demo_identity_/);
      expect(cookie['path']).toMatch(/^\/(authorize|sign-in)\b/);
    }
  });

  test('closes at once though a browser keeps its connection, and may be told to twice', async () => {
    await openBrowser().go(authorizationUrl());

    await provider.close();
    await provider.close();

    await expect(fetch(provider.issuer)).rejects.toThrow();
  });

  test('says which port is taken and which setting changes it', async () => {
    await expect(start()).rejects.toThrow(new StartError(`DEMO_IDENTITY_PORT: ${port} is taken.`));
  });
});
