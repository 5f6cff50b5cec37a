/**
 * The identity provider of the measured sign-ins: OpenID Connect as cheap as it can be, in a separate process. Every
 * visitor agrees at once, and no request is checked: the work of the store is measured, not that of the provider. The
 * signature of each ID token is real.
 */

import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import { makeSigningKey } from '../../server/testing/test-provider.ts';

/** The provider's addresses. */
export const identityPaths = {
  discovery: '/.well-known/openid-configuration',
  authorize: '/authorize',
  token: '/token',
  keys: '/keys',
} as const;

/** Customers that sign in, in turn. */
const customers = 1_000;

async function serve(port: number, clientId: string): Promise<void> {
  const issuer = `http://127.0.0.1:${port}`;
  const key = await makeSigningKey('bench');
  const metadata = JSON.stringify({
    issuer,
    authorization_endpoint: issuer + identityPaths.authorize,
    token_endpoint: issuer + identityPaths.token,
    jwks_uri: issuer + identityPaths.keys,
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const keys = JSON.stringify({ keys: [key.jwk] });
  let count = 0;

  /** The code is the nonce, and stands for the next customer. */
  const idTokenFor = (nonce: string): Promise<string> => {
    count += 1;
    const sub = `reader-${count % customers}`;
    return new SignJWT({ sub, nonce, email: `${sub}@readers.example`, email_verified: true, name: sub })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime('2 minutes')
      .sign(key.privateKey);
  };

  createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (pathname === identityPaths.discovery) return sendJson(response, metadata);
    if (pathname === identityPaths.keys) return sendJson(response, keys);
    if (pathname === identityPaths.authorize) {
      const callback = new URL(searchParams.get('redirect_uri') ?? '');
      callback.searchParams.set('code', searchParams.get('nonce') ?? '');
      callback.searchParams.set('state', searchParams.get('state') ?? '');
      return void response.writeHead(302, { location: callback.href }).end();
    }
    if (pathname !== identityPaths.token) return void response.writeHead(404).end();
    const nonce = new URLSearchParams(await text(request)).get('code') ?? '';
    const id_token = await idTokenFor(nonce);
    sendJson(response, JSON.stringify({ access_token: 'access', token_type: 'bearer', id_token }));
  }).listen(port, '127.0.0.1');
}

function sendJson(response: ServerResponse, json: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(json);
}

if (import.meta.main) await serve(Number(process.env['PORT']), process.env['CLIENT_ID'] ?? '');
