/** Sign-in attempts are rows. The cookie of one binds it to the browser that began it, against login CSRF (RFC 6749, section 10.12). */

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
  /** Of the popup; empty for a sign-in in the same tab. */
  channel: string;
};

export type AttemptParts = { db: Db; cookies: CookiePolicy };

const lifetimeMs = 30 * 60 * 1000;

/** Each tab may have an attempt, but a browser's cookies must fit into the limit for request headers. */
const maxAttempts = 4;

const prefix = 'colophon-sign-in-';
const nameFor = (policy: CookiePolicy, state: string) => cookieName(policy, prefix + state.slice(0, 16));
/** A client chooses names and states freely, and one that no cookie can have makes the response fail. */
const ownNameEnd = /^[\w-]{16}$/;
const ownState = /^[\w-]{43}$/;

/** The database has no value of a cookie: who reads it can finish no attempt. */
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

/** Once. @throws {SignInError} when this browser has no such attempt. */
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
    // The name of the cookie has only the beginning of the state.
    .where('state', '=', state)
    .where('created_at', '>', Date.now() - lifetimeMs)
    .returning(['state', 'nonce', 'code_verifier as codeVerifier', 'return_to as returnTo', 'channel'])
    .executeTakeFirst();
  reply.clearCookie(name, cookieAttributes(policy));
  if (!attempt) throw new SignInError('unknown_attempt', 'this attempt is forged, finished or expired');
  return attempt;
}

/** @returns the channel as the cookie has it: the database may be away. */
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
