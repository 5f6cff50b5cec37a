/** Sign-in attempts are rows. An attempt's cookie binds it to the browser that began it, against login CSRF (RFC 6749, section 10.12). */

import { hash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAttemptName } from '../../contract/sign-in.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db } from '../database/tables.ts';
import { SignInError } from './attempt-outcome.ts';
import { type CookiePolicy, cookieAttributes, cookieName } from './session-cookie.ts';

export type Attempt = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** The name of the popup's channel; empty for a sign-in in the same tab. */
  channel: string;
};

export type AttemptParts = { db: Db; cookies: CookiePolicy };

const lifetimeMs = 30 * 60 * 1000;

/** The most attempts of a browser: each tab may have one, but all cookies must fit into the limit of request headers. */
const maxAttempts = 4;

const prefix = 'colophon-sign-in-';
const nameFor = (policy: CookiePolicy, state: string) => cookieName(policy, prefix + state.slice(0, 16));
/** Checks names and states from clients: a response fails if a cookie cannot contain them. */
const ownNameEnd = /^[\w-]{16}$/;
const ownState = /^[\w-]{43}$/;

/** The database stores only hashes of cookies, so whoever reads it cannot finish an attempt. */
const idOf = (secret: string): string => hash('sha256', secret, 'base64url');

export async function saveAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, cookies: policy }: AttemptParts,
  { codeVerifier, returnTo, ...attempt }: Attempt,
): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  await db
    .insertInto('sign_in_attempts')
    .values({
      id: idOf(secret),
      ...attempt,
      code_verifier: codeVerifier,
      return_to: returnTo,
      created_at: Date.now(),
    })
    .execute();
  const start = cookieName(policy, prefix);
  const earlier = Object.keys(request.cookies).filter(
    (name) => name.startsWith(start) && ownNameEnd.test(name.slice(start.length)),
  );
  if (earlier.length >= maxAttempts) {
    for (const name of earlier) reply.clearCookie(name, cookieAttributes(policy));
  }
  reply.setCookie(nameFor(policy, attempt.state), `${secret}.${attempt.channel}`, {
    ...cookieAttributes(policy),
    maxAge: lifetimeMs / 1000,
  });
}

/** Takes an attempt; it works only once. @throws {SignInError} when this browser has no such attempt. */
export async function takeAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, cookies: policy }: AttemptParts,
  state: string,
): Promise<Attempt> {
  if (!ownState.test(state)) throw new SignInError('unknown_attempt', 'the state is not one of the store');
  const name = nameFor(policy, state);
  const [secret] = request.cookies[name]?.split('.') ?? [];
  if (!secret) throw new SignInError('unknown_attempt', 'this browser has no such attempt');
  const attempt = await db
    .deleteFrom('sign_in_attempts')
    .where('id', '=', idOf(secret))
    // The cookie's name contains only the beginning of the state, so the whole state is compared.
    .where('state', '=', state)
    .where('created_at', '>', Date.now() - lifetimeMs)
    .returning(['state', 'nonce', 'code_verifier as codeVerifier', 'return_to as returnTo', 'channel'])
    .executeTakeFirst();
  reply.clearCookie(name, cookieAttributes(policy));
  if (!attempt) throw new SignInError('unknown_attempt', 'this attempt is forged, finished or expired');
  return attempt;
}

/** @returns the channel from the cookie, because the database may be down. */
export function channelOf({ cookies }: FastifyRequest, policy: CookiePolicy, state: string): string {
  const [, channel = ''] = cookies[nameFor(policy, state)]?.split('.') ?? [];
  return isAttemptName(channel) ? channel : '';
}

export async function sweepAttempts(db: Db, now = Date.now()): Promise<void> {
  await deleteInBatches(
    db.deleteFrom('sign_in_attempts').where('id', 'in', ({ selectFrom }) =>
      selectFrom('sign_in_attempts')
        .select('id')
        .where('created_at', '<=', now - lifetimeMs)
        .limit(sweepBatchSize),
    ),
  );
}
