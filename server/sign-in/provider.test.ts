import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forThisTest } from '../testing/ends-with-test.ts';
import {
  clientOf,
  type Endpoint,
  makeSigningKey,
  startTestProvider,
  type TestProvider,
} from '../testing/test-provider.ts';
import type { SignInProvider } from './provider.ts';

let provider: TestProvider;
beforeEach(async () => {
  provider = await forThisTest(startTestProvider());
});

async function signIn(client: SignInProvider = clientOf(provider)) {
  const { address, checks } = await client.begin();
  return await client.finish(provider.agree(address), checks);
}

const failure = (signingIn: Promise<unknown>) =>
  signingIn.then(
    () => undefined,
    (error: unknown) => error as Error & { outcome: string },
  );

/** Changes the payload of a token, so that its signature no longer matches. */
function alterPayload(token: string, changes: Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return [header, encode({ ...claims, ...changes }), signature].join('.');
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('an ID token', () => {
  test('that the provider signed signs the customer in', async () => {
    provider.claims = { ...provider.claims, sid: 'session-7' };

    const ada = { sub: 'ada', email: 'ada@example.com', isEmailVerified: true, name: 'Ada', photo: '' };
    expect(await signIn()).toEqual({
      identity: { issuer: provider.issuer, ...ada },
      providerSession: 'session-7',
      deliveryAddress: null,
    });
  });

  test('that was altered after it was signed is refused', async () => {
    provider.falsify = (token) => alterPayload(token, { email: 'root@example.com' });

    expect(await failure(signIn())).toMatchObject({ outcome: 'invalid_token' });
  });

  test.each(['first', 'other'])('that a foreign key signed under the name %s is refused', async (kid) => {
    const key = await makeSigningKey(kid);
    const client = clientOf(provider);
    await signIn(client);
    const { address, checks } = await client.begin();
    provider.falsify = () => provider.sign({ nonce: checks.nonce, ...provider.claims }, { key });

    const signingIn = client.finish(provider.agree(address), checks);
    expect(await failure(signingIn)).toMatchObject({ outcome: 'invalid_token' });
  });

  test.each(['none', 'HS256'])(
    'of the algorithm %s is refused, also if the provider offers it',
    async (alg) => {
      provider.metadata = { id_token_signing_alg_values_supported: ['ES256', alg] };
      provider.falsify = (token) => [encode({ alg, kid: 'first' }), token.split('.')[1], ''].join('.');

      expect(await failure(signIn())).toMatchObject({ name: 'SignInError' });
    },
  );

  test.each([
    { iss: 'https://evil.example' },
    { aud: 'another-client' },
    { azp: 'another-client' },
    { exp: 1 },
    { nonce: 'of another attempt' },
  ])('with %j is refused', async (claims) => {
    provider.claims = { ...provider.claims, ...claims };

    expect(await failure(signIn())).toMatchObject({ outcome: 'invalid_token' });
  });

  test.each(['second', 'first'])(
    'of a new key named %s is accepted at once, right after a sign-in with the old one',
    async (kid) => {
      const client = clientOf(provider);
      await signIn(client);
      provider.key = await makeSigningKey(kid);

      expect(await signIn(client)).toMatchObject({ identity: { sub: 'ada' } });

      await signIn(client);
      expect(provider.requests.filter((endpoint) => endpoint === 'keys')).toHaveLength(2);
    },
  );
});

test('a member that is null is absent: the customer is signed in', async () => {
  provider.metadata = { userinfo_endpoint: null, end_session_endpoint: null, scopes_supported: null };
  provider.besideTokens = { refresh_token: null, scope: null, expires_in: null };

  expect((await signIn()).identity).toMatchObject({ sub: 'ada' });

  provider.besideTokens = { access_token: null };
  expect(await failure(signIn())).toMatchObject({ outcome: 'invalid_response' });
});

test('userinfo is asked for an e-mail that the ID token lacks, and refused of another subject', async () => {
  await signIn();
  expect(provider.requests).not.toContain('userinfo');
  provider.claims = { sub: 'ada' };
  provider.userInfo = { sub: 'ada', email: 'ada@example.com', iss: 'https://evil.example' };
  expect((await signIn()).identity).toMatchObject({ issuer: provider.issuer, email: 'ada@example.com' });

  provider.userInfo = { sub: 'eve', email: 'ada@example.com', email_verified: true };
  expect(await failure(signIn())).toMatchObject({ outcome: 'provider_unreachable' });
});

test('a callback with the state of another attempt is refused before the code is sent', async () => {
  const client = clientOf(provider);
  const { address, checks } = await client.begin();
  const response = provider.agree(address);
  response.set('state', `${checks.state.slice(0, 16)}another`);

  expect(await failure(client.finish(response, checks))).toMatchObject({ outcome: 'invalid_response' });
  expect(provider.requests).not.toContain('token');
});

test('a token endpoint that refuses the credentials of the store is an outcome of its own', async () => {
  for (const [status, error, outcome, headers] of [
    [401, 'invalid_client', 'client_refused', { 'www-authenticate': 'Basic realm="provider"' }],
    [401, 'invalid_client', 'client_refused'],
    [400, 'unauthorized_client', 'client_refused'],
    [401, 'access_denied', 'client_refused'],
    [400, 'invalid_grant', 'invalid_response'],
    [403, 'invalid_grant', 'invalid_response'],
    [429, 'temporarily_unavailable', 'provider_unreachable'],
    [503, 'server_error', 'provider_unreachable'],
  ] as const) {
    provider.responses.token = (_request, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error, error_description: 'for ada@example.com' }));
    const failed = await failure(signIn());
    expect([status, error, failed?.outcome]).toEqual([status, error, outcome]);
    expect(failed?.message).not.toContain('@');
  }
});

describe('a provider that misbehaves at', () => {
  const endpoints: Endpoint[] = ['discovery', 'keys', 'token', 'userinfo'];
  beforeEach(() => {
    // The store requests userinfo too.
    provider.claims = { sub: 'ada' };
    provider.userInfo = { sub: 'ada', email: 'ada@example.com' };
  });

  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));

  test.each(endpoints)(
    '%s with a small response that decompresses to a large one is refused',
    async (endpoint) => {
      provider.responses[endpoint] = (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);

      expect((await failure(signIn()))?.message).toContain('bytes');
    },
  );

  test.each(endpoints)(
    '%s with silence, or one byte at a time, is given up at the timeout',
    async (endpoint) => {
      for (const intervalMs of [0, 20]) {
        let timer: NodeJS.Timeout | undefined;
        provider.responses[endpoint] = (_request, response) => {
          if (intervalMs === 0) return;
          response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
          timer = setInterval(() => response.write(' '), intervalMs);
          response.on('close', () => clearInterval(timer));
        };
        const error = await failure(signIn(clientOf(provider, { timeoutMs: 300 })));

        expect(error).toMatchObject({ outcome: 'provider_unreachable' });
      }
    },
  );

  test.each(endpoints)(
    '%s with a redirect is not followed, and asked again at the next sign-in',
    async (endpoint) => {
      const client = clientOf(provider);
      provider.responses[endpoint] = ({ url }, response) => response.writeHead(307, { location: url }).end();

      expect(await failure(signIn(client))).toMatchObject({ outcome: 'provider_unreachable' });
      expect(provider.requests.filter((requested) => requested === endpoint)).toHaveLength(1);
      provider.responses = {};
      expect(await signIn(client)).toMatchObject({ identity: { sub: 'ada' } });
    },
  );

  test('discovery with the metadata of another issuer gets no code', async () => {
    provider.metadata = { issuer: 'https://other.example' };

    expect(await failure(signIn())).toMatchObject({ outcome: 'provider_unreachable' });
    expect(provider.requests).toEqual(['discovery']);
  });
});

describe('the metadata of the provider', () => {
  afterEach(() => void vi.useRealTimers());
  const countOf = (endpoint: Endpoint) =>
    provider.requests.filter((requested) => requested === endpoint).length;
  const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

  test.each([
    { authorization_endpoint: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: 'no address' },
    { jwks_uri: undefined },
  ])('with %j is not used, and loaded again', async (metadata) => {
    const client = clientOf(provider);
    provider.metadata = metadata;
    expect(await failure(signIn(client))).toMatchObject({ outcome: 'provider_unreachable' });
    provider.metadata = {};

    expect(await signIn(client)).toMatchObject({ identity: { sub: 'ada' } });
  });

  test('is loaded again after an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const client = clientOf(provider);
    const loadedAfter = async (ms: number) => {
      passTime(ms);
      for (let index = 0; index < 5; index += 1) await signIn(client);
      return countOf('discovery');
    };
    expect(await loadedAfter(0)).toBe(1);
    expect(await loadedAfter(60 * 60 * 1000 - 1000)).toBe(1);
    expect(await loadedAfter(1000)).toBe(2);
  });

  test('that could not be loaded is not loaded for each client that wants to sign in', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const client = clientOf(provider, { retryIntervalMs: 5_000 });
    provider.responses.discovery = (_request, response) => response.writeHead(500).end();
    for (let index = 0; index < 50; index += 1) {
      expect(await failure(client.begin())).toMatchObject({ outcome: 'provider_unreachable' });
    }
    expect(countOf('discovery')).toBe(1);

    provider.responses = {};
    passTime(5_000);

    expect(await signIn(client)).toMatchObject({ identity: { sub: 'ada' } });
  });
});

describe('a logout token', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout';
  const logout = { sub: 'ada', events: { [event]: {} }, jti: '1' };
  const read = async (claims: Record<string, unknown>, options: { typ?: string } = {}) =>
    clientOf(provider).readLogoutToken(await provider.sign(claims, options));

  test('of any of its types names the subject and the session as they are written', async () => {
    for (const typ of [undefined, 'logout+jwt', 'application/logout+jwt', 'JWT']) {
      const token = await read({ ...logout, sub: ' ada', sid: ' 7' }, typ === undefined ? {} : { typ });
      expect(token).toMatchObject({ issuer: provider.issuer, sub: ' ada', providerSession: ' 7' });
    }
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another' }],
    ['that has expired', { exp: 1 }],
    ['without exp', { exp: undefined }],
    ['without iat', { iat: undefined }],
    ['from the future', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['without events', { events: undefined }],
    ['with another event', { events: { other: {} } }],
    ['with an event that is no object', { events: { [event]: true } }],
    ['with a nonce', { nonce: 'n' }],
    ['without sub and sid', { sub: undefined }],
    ['with a sub that is no text, beside a sid', { sub: 7, sid: 'session-7' }],
    ['with an empty sub, beside a sid', { sub: '', sid: 'session-7' }],
    ['with a sid of null, beside a sub', { sid: null }],
    ['with a sid that is no clean text, beside a sub', { sid: 'a\u0000' }],
  ])('%s is refused', async (_case, claims) => {
    expect(await failure(read({ ...logout, ...claims }))).toMatchObject({ outcome: 'invalid_token' });
  });

  test('of another type, or an algorithm that the provider does not name, is refused', async () => {
    expect(await failure(read(logout, { typ: 'at+jwt' }))).toMatchObject({ outcome: 'invalid_token' });
    provider.metadata = { id_token_signing_alg_values_supported: ['RS256'] };

    expect(await failure(read(logout))).toMatchObject({ outcome: 'invalid_token' });
  });

  test('that was altered, or is no token, is refused', async () => {
    const client = clientOf(provider);
    const refuse = async (text: string) =>
      expect(await failure(client.readLogoutToken(text))).toMatchObject({ outcome: 'invalid_token' });

    for (const text of ['no token', 'a.b.c', `${encode({ alg: 'ES256' })}.x.x`, '']) await refuse(text);
    expect(provider.requests).toEqual([]);
    const signed = await provider.sign(logout);
    await refuse(alterPayload(signed, { sub: 'eve' }));
    for (const alg of ['none', 'HS256'])
      await refuse([encode({ alg, kid: 'first' }), signed.split('.')[1], ''].join('.'));
  });

  test('of an unknown key does not make the store load the keys each time', async () => {
    const token = await provider.sign(logout, { key: await makeSigningKey('forged') });
    const client = clientOf(provider);

    for (let index = 0; index < 20; index += 1) await failure(client.readLogoutToken(token));

    expect(provider.requests).toEqual(['discovery', 'keys']);
  });
});

describe('the address of a customer', () => {
  const formatted = '1 Hartfield Lane\r\nHighbury';
  const asking = () => clientOf(provider, { asksForAddress: true });
  const scopeOf = async (client: SignInProvider) => (await client.begin()).address.searchParams.get('scope');
  const offering = { scopes_supported: ['openid', 'address'] };

  test('is asked for where the provider offers it and the shop wants it', async () => {
    expect(await scopeOf(asking())).toBe('openid profile email');
    provider.metadata = offering;
    expect(await scopeOf(clientOf(provider))).toBe('openid profile email');
    expect(await scopeOf(asking())).toBe('openid profile email address');
  });

  test('comes from the ID token, or from userinfo; when that cannot be read, the customer is signed in without', async () => {
    provider.metadata = offering;
    provider.userInfo = { sub: 'ada', address: { formatted } };
    expect((await signIn(asking())).deliveryAddress).toBe('1 Hartfield Lane\nHighbury');

    provider.responses.userinfo = (_request, response) => response.writeHead(500).end();
    const { deliveryAddress, identity, unreadClaim } = await signIn(asking());
    expect([deliveryAddress, identity.email]).toEqual([null, 'ada@example.com']);
    expect(unreadClaim).toMatchObject({ outcome: 'provider_unreachable' });

    provider.claims = { ...provider.claims, address: { formatted: 'Donwell' } };
    expect((await signIn(asking())).deliveryAddress).toBe('Donwell');
  });
});
