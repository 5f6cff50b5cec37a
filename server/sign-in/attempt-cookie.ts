/**
 * The cookie of a sign-in attempt that is under way. It binds the attempt to the browser that began it, against login
 * CSRF (RFC 6749, section 10.12), and attempts that are never finished take no row in the database. It is signed: a
 * callback with a forged cookie sends nothing to the provider.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAttemptName } from '../../contract/sign-in.ts';
import { BoundedMap } from '../database/bounded-map.ts';
import { type AttemptKey, type AttemptKeys, attemptLifetimeMs } from './attempt-keys.ts';
import { SignInError } from './attempt-outcome.ts';
import { type CookiePolicy, cookieAttributes, cookieName } from './session-cookie.ts';

/** The callback needs these to finish a sign-in attempt. */
export type Attempt = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** Names the popup's BroadcastChannel; empty for a sign-in in the same tab. */
  channel: string;
};

/** Each tab may have an attempt, but a browser's cookies must fit into the limit for request headers. */
const maxAttempts = 4;

const prefix = 'colophon-sign-in-';
const nameFor = (policy: CookiePolicy, state: string) => cookieName(policy, prefix + state.slice(0, 16));
/** A client chooses names and states freely, and one that no cookie can have makes the response fail. */
const ownNameEnd = /^[\w-]{16}$/;
const ownState = /^[\w-]{43}$/;

const maxSpentStates = 20_000;

/**
 * The states of finished attempts: a client can send a cookie again after it was cleared.
 * @returns whether this process sees the state for the first time. It forgets the oldest of more than 20,000.
 */
export function openSpentStates(): (state: string) => boolean {
  const spent = new BoundedMap<string, true>({ maxEntries: maxSpentStates });
  return (state) => {
    if (spent.has(state)) return false;
    spent.set(state, true);
    return true;
  };
}

export type AttemptCookieParts = {
  cookies: CookiePolicy;
  attemptKeys: AttemptKeys;
  /** The function of {@link openSpentStates}. */
  spend: (state: string) => boolean;
};

/** Sets the cookie of an attempt. In a browser with four earlier attempts or more, it clears theirs. */
export async function saveAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies: policy, attemptKeys }: AttemptCookieParts,
  attempt: Attempt,
): Promise<void> {
  const start = cookieName(policy, prefix);
  const earlier = Object.keys(request.cookies).filter(
    (name) => name.startsWith(start) && ownNameEnd.test(name.slice(start.length)),
  );
  const value = signAttempt(attempt, await attemptKeys.current());
  if (earlier.length >= maxAttempts) {
    for (const name of earlier) reply.clearCookie(name, cookieAttributes(policy));
  }
  reply.setCookie(nameFor(policy, attempt.state), value, {
    ...cookieAttributes(policy),
    maxAge: attemptLifetimeMs / 1000,
  });
}

/**
 * Reads the cookie of an attempt and clears it, so that the attempt can be finished only once on each node.
 * @returns the attempt with this state.
 * @throws {SignInError} when this browser has none, or no longer.
 */
export async function consumeAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies: policy, attemptKeys, spend }: AttemptCookieParts,
  state: string,
): Promise<Attempt> {
  if (!ownState.test(state)) throw new SignInError('unknown_attempt', 'the state is not one of the store');
  const name = nameFor(policy, state);
  const value = request.cookies[name];
  const attempt = value && (await readAttempt(value, attemptKeys));
  if (value) reply.clearCookie(name, cookieAttributes(policy));
  // The name of the cookie has only the beginning of the state.
  if (!attempt || attempt.state !== state) {
    throw new SignInError('unknown_attempt', 'this browser has no such attempt');
  }
  if (!spend(state)) throw new SignInError('unknown_attempt', 'this attempt is finished already');
  return attempt;
}

type SignedFields = [
  expiresAt: number,
  state: string,
  nonce: string,
  codeVerifier: string,
  channel: string,
  returnTo: string,
];

/** @returns the value of the cookie. @param now in milliseconds since 1970. */
export function signAttempt(attempt: Attempt, key: AttemptKey, now = Date.now()): string {
  const { state, nonce, codeVerifier, channel, returnTo } = attempt;
  const fields: SignedFields = [now + attemptLifetimeMs, state, nonce, codeVerifier, channel, returnTo];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return [key.id, payload, signatureOf(payload, key)].join('.');
}

/** @returns undefined for a value that {@link signAttempt} did not write, or more than 30 minutes before `now`. */
export async function readAttempt(
  value: string,
  keys: AttemptKeys,
  now = Date.now(),
): Promise<Attempt | undefined> {
  const [keyId = '', payload = '', signature = '', ...more] = value.split('.');
  if (more.length > 0) return undefined;
  const key = await keys.find(keyId, now);
  if (!key || !isEqual(signature, signatureOf(payload, key))) return undefined;
  const fields: SignedFields = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const [expiresAt, state, nonce, codeVerifier, channel, returnTo] = fields;
  const isUsable = now < expiresAt && (channel === '' || isAttemptName(channel));
  return isUsable ? { state, nonce, codeVerifier, channel, returnTo } : undefined;
}

/** The purpose is part of what is signed: no other text that a key may sign one day can serve as an attempt. */
const signatureOf = (payload: string, { id, secret }: AttemptKey): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(`colophon sign-in attempt\n${id}\n${payload}`)
    .digest('base64url');

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
