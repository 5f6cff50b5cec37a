import makeFetchCookie from 'fetch-cookie';
import * as oidc from 'openid-client';
import { CookieJar } from 'tough-cookie';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { forThisTest } from '../testing/ends-with-test.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';

const clientId = 'the-store';
const clientSecret = 'a secret that the store and its demo provider share';
const storeOrigin = 'http://localhost:9';
const redirectUri = `${storeOrigin}/auth/callback`;

let port: number;
let provider: IdentityProvider;
let errors: unknown[];
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
    onError: (error) => errors.push(error),
  });
beforeEach(async () => {
  errors = [];
  await startAnew();
});
afterEach(() => expect(errors).toEqual([]));

/** Each test has a new port, because fetch may still have open connections to the last one. */
async function startAnew(): Promise<void> {
  port = await findFreePort();
  provider = await forThisTest(start());
  config = await oidc.discovery(new URL(provider.issuer), clientId, clientSecret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
}

/** A browser with cookies. It follows redirects, but not to the store, which does not run here. */
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

/** @returns the page on which the visitor chooses a person, and the address that its forms post to. */
async function openChooser(browser = openBrowser()) {
  const page = await browser.go(authorizationUrl());
  const html = await page.text();
  const path = /<form class="people" method="post" action="([^"]+)"/.exec(html)?.[1] ?? 'no form';
  return { browser, page, html, address: new URL(path, provider.issuer).href };
}

async function finish(response: Response) {
  expect(response.status).toBe(303);
  const tokens = await oidc.authorizationCodeGrant(config, new URL(response.headers.get('location') ?? ''), {
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

describe('a sign-in', () => {
  test('as a demo person takes one click, and the ID token has the person’s claims', async () => {
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
    const userInfo = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
    const { sub, name, email } = claims;
    expect(userInfo).toEqual({ sub, name, email, email_verified: true });
  });

  test('with the same e-mail address has the same subject, in capitals or not, also after a restart', async () => {
    const { claims: before } = await signInAs({ person: 'ada@example.com' });
    await startAnew();

    const { claims: after } = await signInAs({ name: 'A. Marlowe', email: 'Ada@Example.com' });

    expect(after.sub).toBe(before.sub);
    expect(after['name']).toBe('A. Marlowe');
  });
});

describe('the chooser', () => {
  test('shows rejected input again as text, with a message at the wrong field, and accepts it when it is corrected', async () => {
    const { browser, html: firstHtml, address } = await openChooser();
    expect(firstHtml).toContain('<h1>Sign in to Reed &amp; Sons</h1>');
    const wrong = 'Enter an address such as reader@example.com.';
    for (const { fault, ...typed } of [
      { name: `"><script>'&`, email: 'ada at example.com', fault: wrong },
      { name: ' \u00a0 ', email: 'a@example.com', fault: 'Enter a name.' },
      { name: 'x'.repeat(101), email: 'a@example.com', fault: 'Use at most 100 characters.' },
      { name: 'Ada', email: '', fault: 'Enter an e-mail address.' },
      { name: 'Ada', email: 'a\u0007@example.com', fault: wrong },
    ]) {
      const response = await browser.post(address, typed);
      const html = await response.text();

      expect([response.status, html]).toEqual([400, expect.stringContaining(`>${fault}</p>`)]);
      expect(html).not.toContain('<script');
    }

    const corrected = { name: '  Ólafur   Þór ', email: ' a@example.com ' };
    const { claims } = await finish(await browser.post(address, corrected));
    expect(claims).toMatchObject({ name: 'Ólafur Þór', email: 'a@example.com', email_verified: true });
  });
});

test('a sign-in that has ended says so: its page and its form, in another browser, and where there is none', async () => {
  const ada = { person: 'ada@example.com' };
  const { browser, address } = await openChooser();
  const [{ address: foreign }, stranger] = [await openChooser(), openBrowser()];
  await browser.post(address, ada);

  for (const response of [
    await browser.go(address),
    await browser.post(address, ada),
    await stranger.go(foreign),
    await stranger.post(foreign, ada),
    await stranger.go(`${provider.issuer}/authorize/unknown`),
  ]) {
    const html = await response.text();
    expect([response.status, html]).toEqual([410, expect.stringContaining('This sign-in has ended</title>')]);
    expect(html).toContain(`href="${storeOrigin}"`);
  }
});

describe('the provider', () => {
  test('gives tokens only to a request with PKCE, for the client secret and the code verifier, and once for a code', async () => {
    const plain = await openBrowser().go(authorizationUrl({ code_challenge_method: 'plain' }));
    const target = new URL(plain.headers.get('location') ?? '');
    expect(target.searchParams.get('error')).toBe('invalid_request');
    const { browser, address } = await openChooser();
    const response = await browser.post(address, { person: 'ada@example.com' });
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const right = { code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const client = { grant_type: 'authorization_code', client_id: clientId, client_secret: clientSecret };
    const exchange = async (changes: Record<string, string> = {}) =>
      (await browser.post(`${provider.issuer}/token`, { ...client, ...right, ...changes })).status;

    expect(await exchange({ client_secret: 'guessed' })).toBe(401);
    expect(await exchange({ code_verifier: oidc.randomPKCECodeVerifier() })).toBe(400);
    expect([await exchange(), await exchange()]).toEqual([200, 400]);
  });

  test('responds to a wrong request and to an unknown address with a plain page', async () => {
    for (const [address, status] of [
      [authorizationUrl({ redirect_uri: 'https://elsewhere.example/' }), 400],
      [authorizationUrl({ client_id: '<b>nobody</b>' }), 400],
      [`${provider.issuer}/nowhere`, 404],
      [`${provider.issuer}/%E0%A4%A`, 404],
    ] as const) {
      const response = await openBrowser().go(address);
      const html = await response.text();

      expect([response.status, html]).toEqual([status, expect.stringContaining('<main>')]);
      expect(html).not.toMatch(/<b>| at .+:\d+:\d+/);
    }
  });

  test('sends headers that allow its pages no more than they need', async () => {
    const { browser, page, address } = await openChooser();
    const rejected = await browser.post(address, {});
    const ended = await openBrowser().go(address);

    for (const { headers } of [page, rejected, ended]) {
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'self' http:\/\/localhost:\*; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('names the port that is taken with its setting, and closes at once', async () => {
    await expect(start()).rejects.toThrow(new StartError(`DEMO_IDENTITY_PORT: ${port} is taken.`));
    // The provider closes although a browser holds a connection. A second close does no harm.
    await openBrowser().go(authorizationUrl());
    await provider.close();
    await provider.close();
    await expect(fetch(provider.issuer)).rejects.toThrow();
  });
});
