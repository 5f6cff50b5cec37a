/** The client of the identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */

import { decodeJwt, decodeProtectedHeader, errors as joseErrors, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { type AdminClaim, findClaim, hasAdminClaim } from './admin-claim.ts';
import { SignInError } from './attempt-outcome.ts';
import { addressFrom, type Claims, hasEmail, type Identity, identifierIn, identityFrom } from './identity.ts';
import { type LogoutRequest, logoutRequestFrom } from './logout-token.ts';
import { type DiscoveredProvider, type DiscoverySettings, providerDiscovery } from './provider-discovery.ts';
import { reasonOf, signInErrorOf } from './provider-errors.ts';

/** The store's registration at the provider. */
export type ProviderSettings = DiscoverySettings & {
  /** Built from PUBLIC_URL, never from a request. */
  callbackUrl: URL;
  /** The claim of admins, if the shop knows them by one. */
  adminClaim?: AdminClaim | undefined;
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

/** @returns a client that sends its first request when a visitor signs in: the store sells while its provider is down. */
export function signInProvider(settings: ProviderSettings): SignInProvider {
  const { issuer, clientId, callbackUrl, adminClaim } = settings;
  const discovery = providerDiscovery(settings);

  /** @throws {SignInError} */
  function throwFailure(error: unknown): never {
    const failure = signInErrorOf(error);
    if (failure.outcome === 'provider_unreachable') discovery.doubt();
    throw failure;
  }

  /**
   * Checks the signature of a token, its issuer, audience and times.
   * @param mayReload whether the keys are loaded again for a token of an unknown key: the provider may have new ones.
   */
  async function verify(
    { keys, algorithms }: DiscoveredProvider,
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
    const { config, hasAddress } = await discovery.load();
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
    const provider = await discovery.load();
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
    const provider = await discovery.load();
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
