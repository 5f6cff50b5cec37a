import { errors as joseErrors } from 'jose';
import * as oidc from 'openid-client';
import { type AttemptOutcome, SignInError } from './attempt-outcome.ts';

export const signInErrorOf = (error: unknown): SignInError =>
  error instanceof SignInError ? error : new SignInError(outcomeOf(error), reasonOf(error), { cause: error });

/** RFC 6749, section 5.2: the token endpoint does not know the store, or refuses its secret. */
const clientErrors = ['invalid_client', 'unauthorized_client'];

function outcomeOf(error: unknown): AttemptOutcome {
  if (error instanceof oidc.AuthorizationResponseError) return 'declined';
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'client_refused';
  if (error instanceof oidc.ResponseBodyError) {
    // Some providers send another code, but the same status.
    if (error.status === 401 || clientErrors.includes(error.error)) return 'client_refused';
    // Providers refuse an invented code with invalid_grant or invalid_request. Anyone can send such a code to the callback.
    return error.status < 500 && error.status !== 429 ? 'invalid_response' : 'provider_unreachable';
  }
  if (error instanceof oidc.ClientError) {
    if (error.code === 'OAUTH_INVALID_RESPONSE') return 'invalid_response';
    return error.code?.startsWith('OAUTH_JWT_') ? 'invalid_token' : 'provider_unreachable';
  }
  const isTokenError = error instanceof joseErrors.JOSEError && !keysErrors.includes(error.code);
  return isTokenError ? 'invalid_token' : 'provider_unreachable';
}

const keysErrors = [joseErrors.JOSEError.code, joseErrors.JWKSTimeout.code, joseErrors.JWKSInvalid.code];

/** @returns the messages without the descriptions of errors, which often name the customer. */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause) {
    if (cause instanceof oidc.AuthorizationResponseError || cause instanceof oidc.ResponseBodyError) {
      parts.push(/^[a-z_]{1,60}$/i.test(cause.error) ? cause.error : 'an error with an unusual code');
    } else if (cause instanceof SyntaxError) {
      // V8's message quotes the invalid JSON.
      parts.push('the text is no JSON');
    } else parts.push(cause.message);
  }
  return parts.join(': ').slice(0, 300);
}
