/** The client of the identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */

import * as oidc from 'openid-client';
import type { Identity } from './sessions.ts';

/** The store's registration at the provider. */
export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Built from PUBLIC_URL, never from a request. */
  callbackUrl: URL;
};

/** The random values of one attempt. The provider's response is accepted only together with them. */
export type SignInChecks = { state: string; nonce: string; codeVerifier: string };

/** A sign-in takes two calls: `begin`, and `finish` when the browser comes back. */
export type SignInProvider = {
  /** As it is configured. The tokens of some providers name a more exact one. */
  issuer: string;
  /** @returns where to send the browser, and the checks for `finish`. @throws when the provider cannot be reached. */
  begin(): Promise<{ address: URL; checks: SignInChecks }>;
  /**
   * Exchanges the code in the provider's response for tokens, and validates them.
   * @param response the query of the callback.
   * @throws {SignInDeclinedError} when the provider or the customer declined.
   * @throws when the response does not match the checks or the provider cannot be reached, and as {@link identityFrom}.
   */
  finish(response: URLSearchParams, checks: SignInChecks): Promise<Identity>;
};

/** The provider responded with an error, for example because the customer cancelled. It is not a fault of the store. */
export class SignInDeclinedError extends Error {}

/** The text arrives in a query that any client can write, so its length in the log is limited. */
const declinedError = ({ error, error_description = '' }: oidc.AuthorizationResponseError) =>
  new SignInDeclinedError(`${error} ${error_description}`.trim().slice(0, 200));

const providerTimeoutS = 10;

/** @returns a client that sends its first request when a visitor signs in: the store sells while its provider is down. */
export function signInProvider({
  issuer,
  clientId,
  clientSecret,
  callbackUrl,
}: ProviderSettings): SignInProvider {
  let discovered: Promise<oidc.Configuration> | undefined;

  const configuration = (): Promise<oidc.Configuration> => {
    discovered ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: providerTimeoutS,
        // Settings accept a plain-http issuer on this machine only.
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  };

  return {
    issuer,

    async begin() {
      const config = await configuration();
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl.href,
        scope: 'openid profile email',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { address, checks };
    },

    async finish(response, { state, nonce, codeVerifier }) {
      const config = await configuration();
      const callback = new URL(callbackUrl);
      callback.search = response.toString();
      const tokens = await oidc
        .authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        .catch((error: unknown) => {
          throw error instanceof oidc.AuthorizationResponseError ? declinedError(error) : error;
        });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no ID token');
      const needsUserInfo = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint;
      const userInfo = needsUserInfo
        ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
        : undefined;
      return identityFrom({ ...claims, ...userInfo });
    },
  };
}

type Claims = { readonly iss: string; readonly sub: string; readonly [claim: string]: unknown };

/** Reads the standard claims (OpenID Connect Core, section 5.1). @throws for a missing or an unverified e-mail. */
export function identityFrom(claims: Claims): Identity {
  const text = (claim: string): string => {
    const value = claims[claim];
    return typeof value === 'string' ? value.trim() : '';
  };
  const email = text('email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320) throw new Error('the provider sent no e-mail');
  // Some providers send the boolean as text.
  const verified = String(claims['email_verified'] ?? 'unknown');
  if (verified === 'false') throw new Error('the provider reports the e-mail as unverified');
  const photo = text('picture');
  return {
    issuer: claims.iss,
    sub: claims.sub,
    email,
    isEmailVerified: verified === 'true',
    name: (text('name') || text('preferred_username') || email).slice(0, 200),
    photo: photo.startsWith('https://') && photo.length <= 2000 ? photo : '',
  };
}
