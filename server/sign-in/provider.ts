/** The client of the identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */

import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors as joseErrors,
  customFetch as joseFetch,
  jwtVerify,
} from 'jose';
import * as oidc from 'openid-client';
import { type AdminClaim, findClaim, hasAdminClaim } from './admin-claim.ts';
import { type AttemptOutcome, SignInError } from './attempt-outcome.ts';
import { addressFrom, type Claims, hasEmail, type Identity, identifierIn, identityFrom } from './identity.ts';
import { type LogoutRequest, logoutRequestFrom } from './logout-token.ts';
import { fetchLimited } from './provider-fetch.ts';

/** The store's registration at the provider. */
export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Built from PUBLIC_URL, never from a request. */
  callbackUrl: URL;
  /** The claim of admins, if the shop knows them by one. */
  adminClaim?: AdminClaim | undefined;
  /** True: the provider is asked where customers live. */
  asksForAddress?: boolean;
  /** How long the provider may take for one response, its body included. */
  timeoutMs?: number;
  /** How long after a failed discovery, or a failed load of the keys, the store sends no other request for it. */
  retryIntervalMs?: number;
};

/** The random values of one attempt. The provider's response is accepted only together with them. */
type SignInChecks = { state: string; nonce: string; codeVerifier: string };

/** The person who signed in. */
type SignedInIdentity = {
  identity: Identity;
  /** The id of the provider's session (`sid`), if it sent one. */
  providerSession: string | undefined;
  /** The setting `ADMIN_CLAIM`, if the customer has the claim. */
  adminClaim: string | undefined;
  /** The customer's address, if the provider sent it. */
  deliveryAddress: string | null;
  /** Why userinfo, which may have the claim or the address, could not be read. */
  unreadClaim: SignInError | undefined;
};

/** A sign-in takes two calls: `begin`, and `finish` when the browser comes back. */
export type SignInProvider = {
  /** As it is configured. The tokens of some providers name a more exact one. */
  issuer: string;
  /** @returns where to send the browser, and the checks for `finish`. @throws {SignInError} */
  begin(): Promise<{ address: URL; checks: SignInChecks }>;
  /**
   * Exchanges the code in the provider's response for tokens, and validates them.
   * @param response the query of the callback.
   * @throws {SignInError}
   */
  finish(response: URLSearchParams, checks: SignInChecks): Promise<SignedInIdentity>;
  /**
   * Validates a logout token (OpenID Connect Back-Channel Logout, section 2.6).
   * @returns whose sessions end. @throws {SignInError} for any other text.
   */
  readLogoutToken(token: string): Promise<LogoutRequest>;
};

/** How far the provider's clock may differ from the store's; openid-client's default. */
const clockToleranceS = 30;
/** Any client can send a logout token: one with an unknown key makes the store load the provider's keys at most this often. */
const keysCooldownMs = 10_000;
/** How long the metadata of the provider is used, which may move its endpoints. */
const metadataLifetimeMs = 6 * 60 * 60 * 1000;
/** The same after a sign-in that failed at the provider. */
const doubtedLifetimeMs = 60_000;

/** @returns a client that sends its first request when a visitor signs in: the store sells while its provider is down. */
export function signInProvider({
  issuer,
  clientId,
  clientSecret,
  callbackUrl,
  adminClaim,
  asksForAddress = false,
  timeoutMs = 10_000,
  retryIntervalMs = 5_000,
}: ProviderSettings): SignInProvider {
  // Settings accept a plain-http issuer on this machine only.
  const isSecure = !issuer.startsWith('http:');
  let discovered: { result: ReturnType<typeof discover>; at: number; until: number } | undefined;

  async function discover() {
    const config = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: timeoutMs / 1000,
      [oidc.customFetch]: (url, { body = null, ...options }) => fetchLimited(url, { ...options, body }),
      execute: isSecure ? [] : [oidc.allowInsecureRequests],
    });
    const metadata = config.serverMetadata();
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = metadata;
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      if (isUsableAddress(metadata[name])) continue;
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
  type Discovered = Awaited<ReturnType<typeof discover>>;

  const isUsableAddress = (address: string | undefined): boolean =>
    address !== undefined &&
    URL.canParse(address) &&
    (isSecure ? ['https:'] : ['https:', 'http:']).includes(new URL(address).protocol);

  /** Any client can cause this call, so a failure is the result for some seconds too. */
  function discoverOnce(): Promise<Discovered> {
    const now = Date.now();
    if (discovered && now < discovered.until) return discovered.result;
    const discovery = { result: discover(), at: now, until: now + metadataLifetimeMs };
    discovery.result.catch(() => {
      discovery.until = Date.now() + retryIntervalMs;
    });
    discovered = discovery;
    return discovery.result;
  }

  /** Throws a {@link SignInError}. After one of the provider, the metadata is loaded again soon: it may be out of date. */
  function throwFailure(error: unknown): never {
    const failure = signInErrorOf(error);
    if (discovered && failure.outcome === 'provider_unreachable') {
      discovered.until = Math.min(discovered.until, discovered.at + doubtedLifetimeMs);
    }
    throw failure;
  }

  /**
   * Checks the signature of a token, its issuer, audience and times.
   * @param mayReload whether the keys are loaded again for a token of an unknown key: the provider may have new ones.
   */
  async function verify(
    { keys, algorithms }: Discovered,
    token: string,
    { tokenIssuer, mayReload }: { tokenIssuer: string; mayReload: () => boolean },
  ) {
    const options = { algorithms, issuer: tokenIssuer, audience: clientId, clockTolerance: clockToleranceS };
    try {
      return await jwtVerify(token, keys, options);
    } catch (error) {
      // A provider may also give its new key the name of the old one.
      const isOfUnknownKey =
        error instanceof joseErrors.JWKSNoMatchingKey ||
        error instanceof joseErrors.JWSSignatureVerificationFailed;
      if (!isOfUnknownKey || !mayReload()) throw error;
      await keys.reload();
      return await jwtVerify(token, keys, options);
    }
  }

  async function begin() {
    const { config, hasAddress } = await discoverOnce();
    const checks = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: callbackUrl.href,
      scope: `openid profile email${hasAddress ? ' address' : ''}`,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { address, checks };
  }

  async function finish(response: URLSearchParams, { state, nonce, codeVerifier }: SignInChecks) {
    const provider = await discoverOnce();
    const { config, metadata, hasAddress } = provider;
    const callback = new URL(callbackUrl);
    callback.search = response.toString();
    const tokens = await oidc.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !tokens.id_token) throw new SignInError('invalid_token', 'the provider sent no ID token');
    // OpenID Connect Core, section 3.1.3.7, step 5. openid-client checks it only beside several audiences.
    if (claims.azp !== undefined && claims.azp !== clientId) {
      throw new SignInError('invalid_token', 'the ID token was issued to another client');
    }
    // openid-client has checked the claims, but not the signature. The keys may be loaded again each time: the token comes
    // from the provider itself, so no client can cause that.
    await verify(provider, tokens.id_token, { tokenIssuer: claims.iss, mayReload: () => true });
    const lacksClaim = adminClaim !== undefined && findClaim(claims, adminClaim.name) === undefined;
    let userInfo: Claims | undefined;
    let unreadClaim: SignInError | undefined;
    const lacksAddress = hasAddress && claims['address'] === undefined;
    if ((!hasEmail(claims) || lacksClaim || lacksAddress) && metadata.userinfo_endpoint) {
      try {
        userInfo = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
      } catch (error) {
        // A challenge here does not concern the store's credentials: userinfo gets a token that was just issued.
        const failure = new SignInError('provider_unreachable', reasonOf(error), { cause: error });
        if (!hasEmail(claims)) throw failure;
        // Customers need neither: they can go on buying.
        unreadClaim = failure;
      }
    }
    const claimSource = lacksClaim ? (userInfo ?? {}) : claims;
    const isAdmin = adminClaim !== undefined && hasAdminClaim(claimSource, adminClaim);
    return {
      identity: identityFrom(claims, userInfo),
      providerSession: identifierIn(claims, 'sid'),
      adminClaim: isAdmin ? adminClaim.setting : undefined,
      deliveryAddress: hasAddress ? addressFrom(claims, userInfo) : null,
      unreadClaim,
    };
  }

  async function readLogoutToken(token: string) {
    assertIsToken(token);
    const provider = await discoverOnce();
    const { payload, protectedHeader } = await verify(provider, token, {
      tokenIssuer: provider.metadata.issuer,
      mayReload: () => !provider.keys.coolingDown,
    });
    return logoutRequestFrom(payload, protectedHeader, clockToleranceS);
  }

  return {
    issuer,
    begin: () => begin().catch(throwFailure),
    finish: (response, checks) => finish(response, checks).catch(throwFailure),
    readLogoutToken: (token) =>
      readLogoutToken(token).catch((error: unknown) => {
        throw signInErrorOf(error);
      }),
  };
}

/** A text that is no token at all causes no request to the provider. @throws {SignInError} */
function assertIsToken(text: string): void {
  try {
    decodeProtectedHeader(text);
    decodeJwt(text);
  } catch (error) {
    throw new SignInError('invalid_token', 'the text is no signed token', { cause: error });
  }
}

const signInErrorOf = (error: unknown): SignInError =>
  error instanceof SignInError ? error : new SignInError(outcomeOf(error), reasonOf(error), { cause: error });

/** The error codes of a token endpoint that does not know the store, or not its secret (RFC 6749, section 5.2). */
const clientErrors = ['invalid_client', 'unauthorized_client'];

function outcomeOf(error: unknown): AttemptOutcome {
  if (error instanceof oidc.AuthorizationResponseError) return 'declined';
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'client_refused';
  if (error instanceof oidc.ResponseBodyError) {
    // Some providers send another code, but the status is the same.
    if (error.status === 401 || clientErrors.includes(error.error)) return 'client_refused';
    return error.error === 'invalid_grant' ? 'invalid_response' : 'provider_unreachable';
  }
  if (error instanceof oidc.ClientError) {
    if (error.code === 'OAUTH_INVALID_RESPONSE') return 'invalid_response';
    return error.code?.startsWith('OAUTH_JWT_') ? 'invalid_token' : 'provider_unreachable';
  }
  const isTokenError = error instanceof joseErrors.JOSEError && !keysErrors.includes(error.code);
  return isTokenError ? 'invalid_token' : 'provider_unreachable';
}

/** Codes of jose: the provider's keys could not be loaded. */
const keysErrors = [joseErrors.JOSEError.code, joseErrors.JWKSTimeout.code, joseErrors.JWKSInvalid.code];

/**
 * @returns the messages of an error and of its causes, without what a client or the provider wrote beside an error's code:
 * that often names the customer.
 */
function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause) {
    if (cause instanceof oidc.AuthorizationResponseError || cause instanceof oidc.ResponseBodyError) {
      parts.push(/^[a-z_]{1,60}$/i.test(cause.error) ? cause.error : 'an error with an unusual code');
    } else if (cause instanceof SyntaxError) {
      // V8 quotes the text.
      parts.push('the text is no JSON');
    } else parts.push(cause.message);
  }
  return parts.join(': ').slice(0, 300);
}
