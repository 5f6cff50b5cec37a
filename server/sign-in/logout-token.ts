import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { SignInError } from './attempt-outcome.ts';
import { textIn } from './identity.ts';

/** Whose sessions a provider ends: those of a subject, or of one session of the provider, or both. */
export type LogoutRequest = {
  issuer: string;
  sub: string | undefined;
  /** The provider's `sid`. */
  providerSession: string | undefined;
};

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Older providers write the type that any token may have. */
const tokenTypes = ['logout+jwt', 'jwt'];

/**
 * Checks what only a logout token has (OpenID Connect Back-Channel Logout, section 2.6, steps 4 to 7), so that no other token
 * of the provider serves as one.
 * @param payload of a token whose signature, issuer, audience and `exp` are checked.
 * @throws {SignInError}
 */
export function logoutRequestFrom(
  payload: JWTPayload,
  { typ }: JWTHeaderParameters,
  clockToleranceS: number,
): LogoutRequest {
  const check = (isValid: boolean, reason: string): void => {
    if (!isValid) throw new SignInError('invalid_token', `the logout token ${reason}`);
  };
  const { iss: issuer = '', iat, exp, events } = payload;
  check(
    typ === undefined || tokenTypes.includes(typ.toLowerCase().replace(/^application\//, '')),
    'is a token of another type',
  );
  check(iat !== undefined && exp !== undefined, 'has no iat or no exp');
  check(Number(iat) <= Date.now() / 1000 + clockToleranceS, 'is from the future');
  check(isObject(events) && isObject(events[logoutEvent]), 'has no event of a logout');
  check(payload['nonce'] === undefined, 'has a nonce');
  const sub = textIn(payload, 'sub') || undefined;
  const providerSession = textIn(payload, 'sid') || undefined;
  check(sub !== undefined || providerSession !== undefined, 'names no subject and no session');
  return { issuer, sub, providerSession };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
