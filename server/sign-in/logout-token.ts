import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { SignInError } from './attempt-outcome.ts';
import { identifierIn } from './identity.ts';

export type LogoutRequest = {
  issuer: string;
  sub: string | undefined;
  /** The provider's `sid`. */
  providerSession: string | undefined;
  /** Milliseconds since 1970. A repeated token does not end sessions that began after its time. */
  begunUntil: number;
};

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Older providers give the token the general type of tokens. */
const tokenTypes = ['logout+jwt', 'jwt'];

/** Checks steps 4 to 7 of OpenID Connect Back-Channel Logout, section 2.6, which no other token of the provider passes. */
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
  const identifier = (claim: string) => {
    const text = identifierIn(payload, claim);
    check(payload[claim] === undefined || text !== undefined, `has an unusable ${claim}`);
    return text;
  };
  const [sub, providerSession] = [identifier('sub'), identifier('sid')];
  check(sub !== undefined || providerSession !== undefined, 'names no subject and no session');
  const begunUntil = Math.max(0, Math.floor((Number(iat) + clockToleranceS) * 1000));
  return { issuer, sub, providerSession, begunUntil };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
