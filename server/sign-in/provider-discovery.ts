/** The identity provider's metadata and keys (OpenID Connect Discovery), loaded at the first sign-in and kept for some hours. */

import { createRemoteJWKSet, customFetch as joseFetch } from 'jose';
import * as oidc from 'openid-client';
import { SignInError } from './attempt-outcome.ts';
import { fetchLimited } from './provider-fetch.ts';

/** Any client can send a logout token: one with an unknown key makes the store load the provider's keys at most this often. */
const keysCooldownMs = 10_000;
/** How long the metadata of the provider is used, which may move its endpoints. */
const metadataLifetimeMs = 6 * 60 * 60 * 1000;
/** The same after a sign-in that failed at the provider. */
const doubtedLifetimeMs = 60_000;

export type DiscoverySettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** True: the provider is asked where customers live. */
  asksForAddress?: boolean;
  /** How long the provider may take for one response, its body included. */
  timeoutMs?: number;
  /** How long after a failed discovery, or a failed load of the keys, the store sends no other request for it. */
  retryIntervalMs?: number;
};

export type DiscoveredProvider = Awaited<ReturnType<typeof discover>>;

/** @returns what loads the metadata once, and loads it again when it is old or in doubt. */
export function providerDiscovery(settings: DiscoverySettings) {
  const { retryIntervalMs = 5_000 } = settings;
  let discovered: { result: Promise<DiscoveredProvider>; at: number; until: number } | undefined;

  return {
    /** Any client can cause this call, so a failure is the result for some seconds too. */
    load(): Promise<DiscoveredProvider> {
      const now = Date.now();
      if (discovered && now < discovered.until) return discovered.result;
      const discovery = {
        result: discover({ ...settings, retryIntervalMs }),
        at: now,
        until: now + metadataLifetimeMs,
      };
      discovery.result.catch(() => {
        discovery.until = Date.now() + retryIntervalMs;
      });
      discovered = discovery;
      return discovery.result;
    },

    /** The provider failed with this metadata, which may be out of date: it is loaded again soon. */
    doubt(): void {
      if (discovered) discovered.until = Math.min(discovered.until, discovered.at + doubtedLifetimeMs);
    },
  };
}

async function discover({
  issuer,
  clientId,
  clientSecret,
  asksForAddress = false,
  timeoutMs = 10_000,
  retryIntervalMs,
}: DiscoverySettings & { retryIntervalMs: number }) {
  // Settings accept a plain-http issuer on this machine only.
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
  let keysRequestedAt = Number.NEGATIVE_INFINITY;
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    [joseFetch]: async (address, request) => {
      // jose's cooldown begins with a success: without one, the last request has failed.
      if (Date.now() < keysRequestedAt + retryIntervalMs && !keys.coolingDown) {
        throw new Error('the keys of the provider could not be loaded a moment ago');
      }
      keysRequestedAt = Date.now();
      return await fetchLimited(address, request);
    },
    timeoutDuration: timeoutMs,
    cooldownDuration: keysCooldownMs,
  });
  // A key set has public keys alone: jose accepts neither `none` nor HS256 with it, whatever the provider offers.
  const hasAddress = asksForAddress && metadata.scopes_supported?.includes('address') === true;
  return { config, metadata, keys, algorithms, hasAddress };
}
