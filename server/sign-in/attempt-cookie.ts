/**
 * The cookie of a sign-in attempt that is under way. It binds the attempt to the browser that began it, against login
 * CSRF (RFC 6749, section 10.12), and attempts that are never finished take no row in the database.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookiePolicy, cookieAttributes, cookieName } from './session-cookie.ts';

/** What the callback needs to finish a sign-in attempt. */
export type Attempt = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** Names the popup's BroadcastChannel; empty for a sign-in in the same tab. */
  channel: string;
};

const attemptMaxAgeS = 30 * 60;
/** Each tab may have an attempt, but a browser's cookies must fit into the limit for request headers. */
const maxAttempts = 4;

const prefix = 'colophon-sign-in-';
const nameFor = (policy: CookiePolicy, state: string) => cookieName(policy, prefix + state.slice(0, 16));

/** Sets the cookie of an attempt. In a browser with four earlier attempts or more, it clears theirs. */
export function saveAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: CookiePolicy,
  attempt: Attempt,
): void {
  const earlier = Object.keys(request.cookies).filter((name) => name.startsWith(cookieName(policy, prefix)));
  if (earlier.length >= maxAttempts) {
    for (const name of earlier) reply.clearCookie(name, cookieAttributes(policy));
  }
  const { state, nonce, codeVerifier, channel, returnTo } = attempt;
  const parts = [state, nonce, codeVerifier, channel, returnTo];
  const value = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  reply.setCookie(nameFor(policy, attempt.state), value, {
    ...cookieAttributes(policy),
    maxAge: attemptMaxAgeS,
  });
}

/**
 * Reads the cookie of an attempt and clears it, so that the attempt can be finished only once.
 * @returns the attempt with this state; undefined when this browser has none.
 */
export function consumeAttempt(
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

/** @returns undefined for a value that {@link saveAttempt} cannot have written: a browser may send anything. */
function parseAttempt(value: string): Attempt | undefined {
  const [state, nonce, codeVerifier, channel, returnTo, ...rest] = value.split('.').map(fromBase64);
  const isComplete = state && nonce && codeVerifier && channel !== undefined && returnTo && rest.length === 0;
  return isComplete ? { state, nonce, codeVerifier, channel, returnTo } : undefined;
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64url').toString();
