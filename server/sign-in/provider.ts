/** The external identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */

import * as oidc from 'openid-client';
import type { Identity } from './sessions.ts';

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Built from PUBLIC_URL, never from a request. */
  callbackUrl: URL;
};

/** What the browser must bring back for an answer of the provider to count. */
export type SignInChecks = { state: string; nonce: string; codeVerifier: string };

export type SignInProvider = {
  /** @throws when the provider cannot be reached. The next call tries again. */
  begin(): Promise<{ address: URL; checks: SignInChecks }>;
  /**
   * @param answer the callback's query string.
   * @throws {SignInDeclinedError} when the provider or the customer declined.
   * @throws when the answer is not the one to these checks.
   */
  finish(answer: URLSearchParams, checks: SignInChecks): Promise<Identity>;
};

/** The answer was a no, such as a customer's who cancelled: nothing that broke. */
export class SignInDeclinedError extends Error {}

/** The provider's words come by way of the browser: they are cut short for the log. */
const declined = ({ error, error_description: words = '' }: oidc.AuthorizationResponseError) =>
  new SignInDeclinedError(`${error} ${words}`.trim().slice(0, 200));

const providerTimeoutS = 10;

/** Nothing is asked of the provider before somebody signs in: the store sells while its provider is down. */
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
        // Settings take a plain-http issuer on this machine only.
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  };

  return {
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

    async finish(answer, { state, nonce, codeVerifier }) {
      const config = await configuration();
      const callback = new URL(callbackUrl);
      callback.search = answer.toString();
      const tokens = await oidc
        .authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        .catch((error: unknown) => {
          throw error instanceof oidc.AuthorizationResponseError ? declined(error) : error;
        });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no id token');
      const isInUserInfo = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint;
      const told = isInUserInfo
        ? { ...claims, ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)) }
        : claims;
      return identityFrom(told);
    },
  };
}

type Claims = { readonly iss: string; readonly sub: string; readonly [claim: string]: unknown };

/** @throws when there is no e-mail, or one that the provider calls unverified. */
export function identityFrom(claims: Claims): Identity {
  const text = (claim: string): string => {
    const value = claims[claim];
    return typeof value === 'string' ? value.trim() : '';
  };
  const email = text('email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320) throw new Error('the provider told no e-mail');
  // Some providers write the truth value as text.
  const verified = String(claims['email_verified'] ?? 'unsaid');
  if (verified === 'false') throw new Error('the provider calls this e-mail unverified');
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
