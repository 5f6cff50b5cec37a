import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { paths, screens } from '../../contract/paths.ts';
import { safeReturnTo } from '../../contract/return-to.ts';
import * as Part from '../../contract/schema-parts.ts';
import { attemptNamePattern } from '../../contract/sign-in.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { asProblem } from '../http/error-handler.ts';
import type { Problem } from '../http/problems.ts';
import type { LineLimit } from '../http/request-log.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import { isAdmin, isListedUnverified } from './admins.ts';
import { type AttemptOutcome, SignInError } from './attempt-outcome.ts';
import { type Attempt, type AttemptParts, channelOf, saveAttempt, takeAttempt } from './attempts.ts';
import { loginAddress, sendOutcome } from './popup-page.ts';
import type { SignInProvider } from './provider.ts';
import { readSessionId, setSessionCookie } from './session-cookie.ts';
import { type SessionPolicy, startSession } from './sessions.ts';

export type SignInParts = AttemptParts & {
  provider: SignInProvider;
  sessionPolicy: SessionPolicy;
  ownOrigins: readonly string[];
  metrics: {
    countBegunSignIn(): void;
    countSignIn(outcome: AttemptOutcome): void;
  };
  /** Called for a sign-in that failed with status 503 because of the database. */
  onRefused(problem: Problem): void;
  isBeyondLimit: LineLimit;
};

export const signInRoutes: FastifyPluginAsyncTypebox<SignInParts> = async (app, parts) => {
  app.get(
    paths.signIn,
    {
      config: { access: 'public', limit: 'sign-ins' },
      schema: {
        ...described('sign-in', 'beginSignIn', 'Sends the browser to the identity provider'),
        description:
          'A browser opens this address, in a popup or in the same tab; a script has no use for it. When the sign-in cannot ' +
          'begin, the popup gets a page that closes it.',
        querystring: Type.Object({
          attempt: Type.Optional(
            Type.String({
              pattern: attemptNamePattern,
              description:
                'Names the channel of a popup. Without it the sign-in takes place in the same tab.',
            }),
          ),
          returnTo: Part.MaybeWords(
            2000,
            'The path on the store that the browser comes back to. Any other address counts as `/`.',
          ),
        }),
        response: { 302: { description: 'To the provider.' }, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const returnTo = safeReturnTo(request.query.returnTo);
      const channel = request.query.attempt ?? '';
      reply.header('cache-control', 'no-store');
      if (isSentByForeignPage(request, parts.ownOrigins)) return reply.redirect(loginAddress(returnTo));
      try {
        const { address, checks } = await parts.provider.begin();
        await saveAttempt(request, reply, parts, { ...checks, returnTo, channel });
        // Scanners and scripts, which never finish a sign-in, send no Fetch Metadata.
        if (request.headers['sec-fetch-site'] === 'same-origin') parts.metrics.countBegunSignIn();
        return reply.redirect(address.href);
      } catch (error) {
        fail(request, reply, parts, error);
        return sendOutcome(reply, { returnTo, channel }, false);
      }
    },
  );

  app.get(
    paths.signInCallback,
    {
      config: { access: 'public', limit: 'callbacks' },
      schema: {
        ...described('sign-in', 'finishSignIn', 'Receives the response of the identity provider'),
        description:
          'The provider sends the browser here. The store checks the response, sets the cookie of the session, and sends the ' +
          'browser back, or closes the popup.',
        querystring: Type.Object({
          state: Part.MaybeWords(500, 'As the store sent it to the provider (RFC 6749).'),
        }),
        response: { 302: { description: 'Back to the store.' }, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const state = request.query.state ?? '';
      let attempt: Attempt | undefined;
      try {
        attempt = await takeAttempt(request, reply, parts, state);
        await finishAttempt(request, reply, attempt, parts);
        return sendOutcome(reply, attempt, true);
      } catch (error) {
        fail(request, reply, parts, error);
        if (attempt) return sendOutcome(reply, attempt, false);
        const channel = error instanceof SignInError ? '' : channelOf(request, parts.cookies, state);
        if (channel !== '') return sendOutcome(reply, { channel, returnTo: screens.home }, false);
        // The status is explicit: a redirect would keep the 503 of a failure, which browsers do not follow.
        return reply.redirect(screens.login, 302);
      }
    },
  );
};

/**
 * Refuses a sign-in that a page of another site starts, even by an image or a frame: a provider that asks nothing would complete it. A
 * navigation has no `Origin`, but pages of the store send theirs as `Referer`. A browser without Fetch Metadata may pass.
 */
function isSentByForeignPage({ headers }: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': destination, referer = '' } = headers;
  if (destination !== undefined && destination !== 'document') return true;
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  if (site !== 'cross-site' && site !== 'same-site') return true;
  return !ownOrigins.includes(URL.parse(referer)?.origin ?? '');
}

async function finishAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: Attempt,
  { db, cookies, sessionPolicy, provider, metrics }: SignInParts,
): Promise<void> {
  const response = new URL(request.url, 'http://callback.invalid').searchParams;
  const { identity, unreadClaim, ...details } = await provider.finish(response, attempt);
  const candidate = { ...identity, adminClaim: details.adminClaim };
  const { sessionId, customerId: customer } = await startSession(db, identity, {
    ...details,
    providerIssuer: provider.issuer,
    replaces: readSessionId(request, cookies),
    adminAddress: isAdmin(candidate, sessionPolicy) ? request.ip : undefined,
  });
  setSessionCookie(reply, cookies, sessionId);
  metrics.countSignIn('succeeded');
  request.log.info({ outcome: 'succeeded', ip: request.ip, customer }, 'a sign-in succeeded');
  if (unreadClaim) {
    const message = 'userinfo could not be read for ADMIN_CLAIM or the address';
    request.log.warn({ reason: unreadClaim.message, customer }, message);
  }
  if (isListedUnverified(candidate, sessionPolicy)) request.log.warn({ customer }, unverifiedAdmin);
}

/** The log omits the e-mail: the database has the customer with the line's id. */
const unverifiedAdmin =
  'ADMIN_EMAILS has the e-mail of a customer, who is no admin: the identity provider does not say that it is verified (email_verified)';

/** The visitor does not see the cause (spec section 8). */
function fail(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, onRefused, isBeyondLimit }: SignInParts,
  error: unknown,
): void {
  const outcome = error instanceof SignInError ? error.outcome : 'failed';
  const isOutage = isUnavailable(error);
  if (isOutage) {
    const problem = asProblem(error as Error);
    onRefused(problem);
    reply.code(problem.status).header('retry-after', String(problem.retryAfterS));
  }
  metrics.countSignIn(outcome);
  if (isBeyondLimit(`sign-in ${outcome}`)) return;
  const isFault = outcome === 'failed' && !isOutage;
  const [level, message] = reports[isFault ? 'fault' : outcome] ?? ['info', 'a sign-in did not succeed'];
  const cause = isFault ? { err: error } : { reason: (error as Error).message };
  request.log[level]({ outcome, ip: request.ip, ...cause }, message);
}

/** Outcomes that concern the owner. All others concern only the visitor. */
const reports: Partial<Record<AttemptOutcome | 'fault', [level: 'warn' | 'error', message: string]>> = {
  fault: ['error', 'a sign-in failed'],
  client_refused: [
    'error',
    'the identity provider refuses the store: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  ],
  provider_unreachable: ['warn', 'the identity provider could not be reached, or not be used'],
  failed: ['warn', 'a sign-in failed'],
};
