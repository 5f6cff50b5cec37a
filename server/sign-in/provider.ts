/** The client of the identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */

import { decodeJwt, decodeProtectedHeader, errors as joseErrors, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { type AdminClaim, findClaim, hasAdminClaim } from './admin-claim.ts';
import { SignInError } from './attempt-outcome.ts';
import { addressFrom, type Claims, hasEmail, identifierIn, identityFrom } from './identity.ts';
import { logoutRequestFrom } from './logout-token.ts';
import { type DiscoveredProvider, type DiscoverySettings, providerDiscovery } from './provider-discovery.ts';
import { reasonOf, signInErrorOf } from './provider-errors.ts';

export type ProviderSettings = DiscoverySettings & {
  /** The callback's address, from PUBLIC_URL and never from a request. */
  callbackUrl: URL;
  adminClaim?: AdminClaim | undefined;
};

type SignInChecks = { state: string; nonce: string; codeVerifier: string };

/** A client of the provider. Each call throws a {@link SignInError} for a cause outside the store. */
export type SignInProvider = ReturnType<typeof signInProvider>;

/** The allowed difference between the provider's clock and the store's; openid-client's default. */
const clockToleranceS = 30;

/** @returns a client that sends its first request at the first sign-in: the store sells while its provider is down. */
export function signInProvider(settings: ProviderSettings) {
  const { clientId, callbackUrl, adminClaim } = settings;
  const discover = providerDiscovery(settings);

  function verify({ keys, algorithms }: DiscoveredProvider, token: string, issuer: string) {
    const options = { algorithms, issuer, audience: clientId, clockTolerance: clockToleranceS };
    return jwtVerify(token, keys, options);
  }

  /** Verifies a token that the provider itself sent. The provider may have a very new key, even under an old key's name. */
  async function verifySent(provider: DiscoveredProvider, token: string, issuer: string): Promise<void> {
    try {
      await verify(provider, token, issuer);
    } catch (error) {
      const { JWKSNoMatchingKey, JWSSignatureVerificationFailed } = joseErrors;
      const isOfNewKey =
        error instanceof JWKSNoMatchingKey || error instanceof JWSSignatureVerificationFailed;
      if (!isOfNewKey) throw error;
      await provider.keys.reload();
      await verify(provider, token, issuer);
    }
  }

  async function begin(): Promise<{ address: URL; checks: SignInChecks }> {
    const { config, hasAddress } = await discover();
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
    const provider = await discover();
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
    // openid-client has checked the claims, but not the signature, so the store does.
    await verifySent(provider, tokens.id_token, claims.iss);
    const lacksClaim = adminClaim !== undefined && findClaim(claims, adminClaim.name) === undefined;
    const lacksAddress = hasAddress && claims['address'] === undefined;
    let userInfo: Claims = {};
    let unreadClaim: SignInError | undefined;
    if ((!hasEmail(claims) || lacksClaim || lacksAddress) && metadata.userinfo_endpoint) {
      try {
        userInfo = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
      } catch (error) {
        // A challenge in this response does not concern the store's credentials: userinfo gets a token that was just issued.
        unreadClaim = new SignInError('provider_unreachable', reasonOf(error), { cause: error });
        // Customers need neither claim, so they can go on buying.
        if (!hasEmail(claims)) throw unreadClaim;
      }
    }
    const isAdmin = adminClaim !== undefined && hasAdminClaim(lacksClaim ? userInfo : claims, adminClaim);
    return {
      identity: identityFrom(claims, userInfo),
      providerSession: identifierIn(claims, 'sid'),
      adminClaim: isAdmin ? adminClaim.setting : undefined,
      deliveryAddress: hasAddress ? addressFrom(claims, userInfo) : null,
      /** The reason why userinfo, which may have the claim or the address, could not be read. */
      unreadClaim,
    };
  }

  async function readLogoutToken(token: string) {
    assertIsToken(token);
    const provider = await discover();
    const { payload, protectedHeader } = await verify(provider, token, provider.metadata.issuer);
    return logoutRequestFrom(payload, protectedHeader, clockToleranceS);
  }

  const explained = <Result>(call: Promise<Result>): Promise<Result> =>
    call.catch((error: unknown) => {
      throw signInErrorOf(error);
    });
  return {
    /** The issuer of the settings. Some providers' tokens name a more specific one. */
    issuer: settings.issuer,
    begin: () => explained(begin()),
    finish: (response: URLSearchParams, checks: SignInChecks) => explained(finish(response, checks)),
    readLogoutToken: (token: string) => explained(readLogoutToken(token)),
  };
}

/** Text that is no token causes no request to the provider. @throws {SignInError} */
function assertIsToken(text: string): void {
  try {
    decodeProtectedHeader(text);
    decodeJwt(text);
  } catch (error) {
    throw new SignInError('invalid_token', 'the text is no signed token', { cause: error });
  }
}
