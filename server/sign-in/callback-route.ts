import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { paths, screens } from '../../contract/paths.ts';
import { SignInCallbackQuery } from '../../contract/session.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { sendProblemPage } from '../http/problem-page.ts';
import { isAdmin, isListedUnverified } from './admins.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import { SignInError } from './attempt-outcome.ts';
import { type Attempt, channelOf, takeAttempt } from './attempts.ts';
import type { FailSignIn } from './failed-sign-in.ts';
import { sendOutcome } from './popup-page.ts';
import type { SignInProvider } from './provider.ts';
import { type CookiePolicy, readSessionId, setSessionCookie } from './session-cookie.ts';
import { type SessionPolicy, startSession } from './sessions.ts';

export type CallbackParts = {
  db: Db;
  cookies: CookiePolicy;
  sessionPolicy: SessionPolicy;
  provider: SignInProvider;
  countSignIn(outcome: AttemptOutcome): void;
  failSignIn: FailSignIn;
};

/** `GET /auth/callback` finishes an attempt. */
export const callbackRoute: FastifyPluginAsyncTypebox<CallbackParts> = async (app, parts) => {
  const { failSignIn } = parts;

  app.get(
    paths.signInCallback,
    {
      config: {
        access: 'public',
        limit: 'callbacks',
        sendLimitPage: (_request, reply, problem) => sendProblemPage(reply, problem),
      },
      schema: {
        operationId: 'finishSignIn',
        tags: ['sign-in'],
        summary: 'Receives the response of the identity provider',
        description:
          'The provider sends the browser here. The store checks the response, sets the cookie of the session, and sends the ' +
          'browser back, or closes the popup.',
        querystring: SignInCallbackQuery,
        response: { 302: { description: 'Back to the store.' }, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const state = request.query.state ?? '';
      let attempt: Attempt;
      try {
        attempt = await takeAttempt(request, reply, parts, state);
      } catch (error) {
        failSignIn(request, reply, error);
        const channel = channelOf(request, parts.cookies, state);
        if (!(error instanceof SignInError) && channel !== '') {
          return sendOutcome(reply, { channel, returnTo: screens.home }, false);
        }
        // A redirect without a status would keep the 503 of a failure, which browsers do not follow.
        return reply.redirect(screens.login, 302);
      }
      const isSignedIn = await finishAttempt(request, reply, attempt, parts);
      return sendOutcome(reply, attempt, isSignedIn);
    },
  );
};

/** @returns whether the sign-in succeeded. */
async function finishAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: Attempt,
  { db, cookies, sessionPolicy, provider, countSignIn, failSignIn }: CallbackParts,
): Promise<boolean> {
  try {
    const response = new URL(request.url, 'http://callback.invalid').searchParams;
    const { identity, providerSession, adminClaim, deliveryAddress, unreadClaim } = await provider.finish(
      response,
      attempt,
    );
    const candidate = { ...identity, adminClaim };
    const { sessionId, customerId } = await startSession(db, identity, {
      providerIssuer: provider.issuer,
      providerSession,
      adminClaim,
      deliveryAddress,
      replaces: readSessionId(request, cookies),
      adminAddress: isAdmin(candidate, sessionPolicy) ? request.ip : undefined,
    });
    setSessionCookie(reply, cookies, sessionId);
    countSignIn('succeeded');
    request.log.info({ outcome: 'succeeded', ip: request.ip, customer: customerId }, 'a sign-in succeeded');
    if (unreadClaim) {
      const { message: reason } = unreadClaim;
      request.log.warn(
        { reason, customer: customerId },
        'userinfo could not be read for ADMIN_CLAIM or the address',
      );
    }
    if (isListedUnverified(candidate, sessionPolicy))
      request.log.warn({ customer: customerId }, unverifiedAdmin);
    return true;
  } catch (error) {
    failSignIn(request, reply, error);
    return false;
  }
}

/** Without the e-mail: the database has the customer of the line's id. */
const unverifiedAdmin =
  'ADMIN_EMAILS has the e-mail of a customer, who is no admin: the identity provider does not say that it is verified (email_verified)';
