/**
 * What one attempt to sign in must remember until the provider answers. It is kept in the browser that began it, which
 * binds the attempt to that browser (login CSRF) and costs the store no row for attempts that go nowhere.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type CookiePolicy, cookieAttributes, cookieName } from './session-cookie.ts';

const Attempt = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  codeVerifier: Type.String(),
  returnTo: Type.String(),
  /** The popup's channel; empty when the sign-in has the tab to itself. */
  channel: Type.String(),
});
export type Attempt = Type.Static<typeof Attempt>;

const attemptMaxAgeS = 10 * 60;
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
  const value = Buffer.from(JSON.stringify(attempt)).toString('base64url');
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
  try {
    const attempt: unknown = JSON.parse(Buffer.from(value, 'base64url').toString());
    return Value.Check(Attempt, attempt) && attempt.state === state ? attempt : undefined;
  } catch {
    return undefined;
  }
}
