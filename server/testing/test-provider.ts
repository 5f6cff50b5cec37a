/** An identity provider for tests: OpenID Connect over HTTP, with tokens and responses that a test can falsify. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { paths } from '../../contract/paths.ts';
import { type ProviderSettings, signInProvider } from '../sign-in/provider.ts';
import type { TestStore } from './test-store.ts';

export const client = { clientId: 'colophon', clientSecret: 'a secret' };
export const callbackUrl = new URL('http://localhost:3000/auth/callback');

type SigningKey = { kid: string; privateKey: CryptoKey; jwk: Record<string, unknown> };

export type Endpoint = 'discovery' | 'keys' | 'token' | 'userinfo';
const endpoints: Readonly<Record<string, Endpoint>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/keys': 'keys',
  '/token': 'token',
  '/userinfo': 'userinfo',
};

export type TestProvider = {
  issuer: string;
  /** Every request that the provider got, in order. */
  requests: Endpoint[];
  /** The claims of ID tokens, which may replace `iss`, `aud`, `nonce`, `iat` and `exp`. */
  claims: Record<string, unknown>;
  userInfo: Record<string, unknown>;
  /** Changes to the document of discovery. */
  metadata: Record<string, unknown>;
  /** Further members of the response with the tokens. */
  besideTokens: Record<string, unknown>;
  /** Signs the tokens; the provider publishes only this key. */
  key: SigningKey;
  /** Changes the ID token before it is sent. */
  falsify: (idToken: string) => string | Promise<string>;
  /** The response that an endpoint sends in place of its own. */
  responses: Partial<Record<Endpoint, (request: IncomingMessage, response: ServerResponse) => void>>;
  /** Acts as a customer who agrees at the address that the store redirects to. @returns the callback's query. */
  agree(address: URL): URLSearchParams;
  /** @returns a token of these claims. */
  sign(claims: Record<string, unknown>, options?: { key?: SigningKey; typ?: string }): Promise<string>;
  close(): Promise<void>;
};

export async function makeSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

/** Starts the provider on a free port. The caller closes it. */
export async function startTestProvider(): Promise<TestProvider> {
  const nonces = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const endpoint = endpoints[request.url ?? ''];
    if (!endpoint) return void response.writeHead(404).end();
    provider.requests.push(endpoint);
    const respond = provider.responses[endpoint];
    if (respond) return respond(request, response);
    const body = await bodies[endpoint](request);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const bodies: Record<Endpoint, (request: IncomingMessage) => object | Promise<object>> = {
    discovery: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
      ...provider.metadata,
    }),
    keys: () => ({ keys: [provider.key.jwk] }),
    async token(request) {
      const nonce = nonces.get(new URLSearchParams(await text(request)).get('code') ?? '');
      const idToken = await provider.falsify(await provider.sign({ nonce, ...provider.claims }));
      return { access_token: 'access', token_type: 'bearer', id_token: idToken, ...provider.besideTokens };
    },
    userinfo: () => provider.userInfo,
  };

  const provider: TestProvider = {
    issuer,
    requests: [],
    claims: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    userInfo: { sub: 'ada' },
    metadata: {},
    besideTokens: {},
    key: await makeSigningKey('first'),
    falsify: (idToken) => idToken,
    responses: {},
    agree({ searchParams }) {
      const code = `code-${nonces.size}`;
      nonces.set(code, searchParams.get('nonce') ?? '');
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '' });
    },
    sign(claims, { key = provider.key, typ } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: issuer, aud: client.clientId, iat: now, exp: now + 120, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...(typ !== undefined && { typ }) })
        .sign(key.privateKey);
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return provider;
}

/** The store's client of a test provider. It tries again at once after a failure, unless the settings differ. */
export const clientOf = (
  { issuer }: TestProvider,
  settings: Pick<ProviderSettings, 'timeoutMs' | 'retryIntervalMs' | 'adminClaim' | 'asksForAddress'> = {},
) => signInProvider({ ...client, issuer, callbackUrl, retryIntervalMs: 0, ...settings });

/** The cookies that a response sets, without those that it clears, as a Cookie header. */
export const cookiesOf = (response: Pick<Response, 'headers'>): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

/** Begins a sign-in at a store. @returns the cookie of the attempt, and the callback's query when the customer has agreed. */
export async function beginSignIn(store: TestStore, provider: TestProvider, query = '') {
  const response = await store.call(`${paths.signIn}?${query}`);
  const address = new URL(response.headers.get('location') ?? '');
  return { address, cookie: cookiesOf(response), callback: provider.agree(address) };
}

type Begun = Pick<Awaited<ReturnType<typeof beginSignIn>>, 'callback' | 'cookie'>;
export const finishSignIn = (store: TestStore, { callback, cookie }: Begun): Promise<Response> =>
  store.call(`${paths.signInCallback}?${callback}`, { cookie });
