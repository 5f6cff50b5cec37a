/**
 * What one attempt to sign in must remember until the provider answers. It is kept in the browser that began it, which
 * binds the attempt to that browser (login CSRF) and costs the store no row for attempts that go nowhere.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookiePolicy, cookieAttributes, cookieName } from './session-cookie.ts';

export type Attempt = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** The popup's channel; empty when the sign-in has the tab to itself. */
  channel: string;
};

const attemptMaxAgeS = 30 * 60;
/** Each tab may have its own attempt, but a browser's cookies must not outgrow the header limit. */
const maxAttempts = 4;

const prefix = 'colophon-sign-in-';
const nameFor = (policy: CookiePolicy, state: string) => cookieName(policy, prefix + state.slice(0, 16));

export function rememberAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: CookiePolicy,
  attempt: Attempt,
): void {
  const older = Object.keys(request.cookies).filter((name) => name.startsWith(cookieName(policy, prefix)));
  if (older.length >= maxAttempts) {
    for (const name of older) reply.clearCookie(name, cookieAttributes(policy));
  }
  const { state, nonce, codeVerifier, channel, returnTo } = attempt;
  const parts = [state, nonce, codeVerifier, channel, returnTo];
  const value = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  reply.setCookie(nameFor(policy, attempt.state), value, {
    ...cookieAttributes(policy),
    maxAge: attemptMaxAgeS,
  });
}

/** The attempt that a state belongs to, if this browser began it. It counts once. */
export function takeAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: CookiePolicy,
  state: string,
): Attempt | undefined {
  const name = nameFor(policy, state);
  const value = request.cookies[name];
  if (!value) return undefined;
  reply.clearCookie(name, cookieAttributes(policy));
  const attempt = parseAttempt(value);
  return attempt?.state === state ? attempt : undefined;
}

/** As long as the cookie is what {@link rememberAttempt} wrote; a browser may send anything. */
function parseAttempt(value: string): Attempt | undefined {
  const [state, nonce, codeVerifier, channel, returnTo, ...rest] = value.split('.').map(fromBase64);
  const isWhole = state && nonce && codeVerifier && channel !== undefined && returnTo && rest.length === 0;
  return isWhole ? { state, nonce, codeVerifier, channel, returnTo } : undefined;
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64url').toString();
