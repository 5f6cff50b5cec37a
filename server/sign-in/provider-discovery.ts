/** The identity provider's metadata and keys (OpenID Connect Discovery), loaded at the first sign-in and kept for an hour. */

import { createRemoteJWKSet, customFetch as joseFetch } from 'jose';
import * as oidc from 'openid-client';
import { SignInError } from './attempt-outcome.ts';
import { fetchLimited } from './provider-fetch.ts';

/** The shortest interval between loads of keys: any client can send a logout token with an unknown key. */
const keysCooldownMs = 10_000;
const metadataLifetimeMs = 60 * 60 * 1000;

export type DiscoverySettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  asksForAddress?: boolean;
  /** The limit of one response, including its body. */
  timeoutMs?: number;
  retryIntervalMs?: number;
};

export type DiscoveredProvider = Awaited<ReturnType<typeof discover>>;

/** @returns a function that loads the metadata. Any client can cause the call, so a failure is cached for some seconds. */
export function providerDiscovery(settings: DiscoverySettings): () => Promise<DiscoveredProvider> {
  const { retryIntervalMs = 5_000 } = settings;
  let until = Number.NEGATIVE_INFINITY;
  let discovered: Promise<DiscoveredProvider>;
  return () => {
    if (Date.now() < until) return discovered;
    until = Date.now() + metadataLifetimeMs;
    discovered = discover(settings);
    discovered.catch(() => {
      until = Date.now() + retryIntervalMs;
    });
    return discovered;
  };
}

async function discover(settings: DiscoverySettings) {
  const { issuer, clientId, clientSecret, asksForAddress = false, timeoutMs = 10_000 } = settings;
  // A plain-http issuer is allowed because the settings accept one only on this machine.
  const isSecure = !issuer.startsWith('http:');
  const config = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: timeoutMs / 1000,
    [oidc.customFetch]: (url, { body = null, ...options }) => fetchLimited(url, { ...options, body }),
    execute: isSecure ? [] : [oidc.allowInsecureRequests],
  });
  const metadata = config.serverMetadata();
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = metadata;
  const protocols = isSecure ? ['https:'] : ['https:', 'http:'];
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (protocols.includes(URL.parse(metadata[name] ?? '')?.protocol ?? '')) continue;
    throw new SignInError('provider_unreachable', `the provider has no usable ${name}`);
  }
  // The key set has only public keys: with it, jose accepts neither `none` nor HS256, whatever the provider offers.
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    [joseFetch]: fetchLimited,
    timeoutDuration: timeoutMs,
    cooldownDuration: keysCooldownMs,
  });
  const hasAddress = asksForAddress && metadata.scopes_supported?.includes('address') === true;
  return { config, metadata, keys, algorithms, hasAddress };
}
