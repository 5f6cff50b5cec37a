import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { paths, screens } from '../../contract/paths.ts';
import { safeReturnTo } from '../../contract/return-to.ts';
import { Session, SignInCallbackQuery, SignInQuery, SignOut } from '../../contract/session.ts';
import { isAttemptName } from '../../contract/sign-in.ts';
import type { Db } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { asProblem, problemResponses } from '../http/error-handler.ts';
import { pagePolicy } from '../http/headers.ts';
import { sendProblemPage } from '../http/problem-page.ts';
import { Problem } from '../http/problems.ts';
import type { LineLimit } from '../http/request-log.ts';
import { isAdmin, isListedUnverified } from './admins.ts';
import { type Attempt, consumeAttempt, openSpentStates, saveAttempt } from './attempt-cookie.ts';
import type { AttemptKeys } from './attempt-keys.ts';
import { type AttemptOutcome, SignInError } from './attempt-outcome.ts';
import { backchannelLogoutRoutes } from './backchannel-logout.ts';
import { popupPage, popupScript } from './popup-page.ts';
import type { SignInProvider } from './provider.ts';
import { type CookiePolicy, clearSessionCookie, readSessionId, setSessionCookie } from './session-cookie.ts';
import {
  type Customer,
  endSession,
  endSessionsOfCustomer,
  findCustomer,
  type SessionPolicy,
  startSession,
} from './sessions.ts';

export type SignInParts = {
  db: Db;
  cookies: CookiePolicy;
  sessionPolicy: SessionPolicy;
  /** The origins whose pages may begin a sign-in, the store's own included. */
  ownOrigins: readonly string[];
  provider: SignInProvider;
  /** True for a customer without receipts in a shop that sends them. */
  isWithoutReceipts(customer: Customer): boolean;
  attemptKeys: AttemptKeys;
  /** Called for each browser that is sent to the provider. */
  countBegunSignIn(): void;
  /** Called once for each attempt that ends. */
  countSignIn(outcome: AttemptOutcome): void;
  /** Called for a sign-in that the database could not serve, with status 503. */
  onRefused(problem: Problem): void;
  /** True once the log has enough lines of an outcome in this second. */
  isBeyondLimit: LineLimit;
};

/** Sign-in, session and sign-out (spec sections 2 and 4). */
export const signInRoutes: FastifyPluginAsyncTypebox<SignInParts> = async (
  app,
  {
    db,
    cookies,
    sessionPolicy,
    ownOrigins,
    provider,
    isWithoutReceipts,
    attemptKeys,
    countBegunSignIn,
    countSignIn,
    onRefused,
    isBeyondLimit,
  },
) => {
  const cookieParts = { cookies, attemptKeys, spend: openSpentStates() };

  app.get(
    paths.signIn,
    {
      config: {
        access: 'public',
        limit: 'sign-ins',
        sendLimitPage: (request, reply, problem) => {
          const channel = new URL(request.url, 'http://sign-in.invalid').searchParams.get('attempt') ?? '';
          if (!isAttemptName(channel)) return sendProblemPage(reply, problem);
          return sendOutcome(reply, { channel, returnTo: screens.home }, false);
        },
      },
      schema: {
        operationId: 'beginSignIn',
        tags: ['sign-in'],
        summary: 'Sends the browser to the identity provider',
        description:
          'A browser opens this address, in a popup or in the same tab; a script has no use for it. When the sign-in cannot ' +
          'begin, the popup gets a page that closes it.',
        querystring: SignInQuery,
        response: { 302: { description: 'To the provider.' }, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const returnTo = safeReturnTo(request.query.returnTo);
      const channel = request.query.attempt ?? '';
      reply.header('cache-control', 'no-store');
      if (isSentByForeignPage(request, ownOrigins)) return reply.redirect(loginAddress(returnTo));
      try {
        const { address, checks } = await provider.begin();
        await saveAttempt(request, reply, cookieParts, { ...checks, returnTo, channel });
        countBegunSignIn();
        return reply.redirect(address.href);
      } catch (error) {
        failSignIn(request, reply, error);
        return sendOutcome(reply, { returnTo, channel }, false);
      }
    },
  );

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
      const attempt = await consumeAttempt(request, reply, cookieParts, state).catch((error: unknown) => {
        failSignIn(request, reply, error);
      });
      // A redirect without a status would keep the 503 of a failure, which browsers do not follow.
      if (!attempt) return reply.redirect(screens.login, 302);
      const isSignedIn = await finishAttempt(request, reply, attempt);
      return sendOutcome(reply, attempt, isSignedIn);
    },
  );

  /** @returns whether the sign-in succeeded. */
  async function finishAttempt(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt,
  ): Promise<boolean> {
    try {
      const response = new URL(request.url, 'http://callback.invalid').searchParams;
      const { identity, providerSession, adminClaim, unreadClaim } = await provider.finish(response, attempt);
      const candidate = { ...identity, adminClaim };
      const { sessionId, customerId } = await startSession(db, identity, {
        providerIssuer: provider.issuer,
        providerSession,
        adminClaim,
        replaces: readSessionId(request, cookies),
        adminAddress: isAdmin(candidate, sessionPolicy) ? request.ip : undefined,
      });
      setSessionCookie(reply, cookies, sessionId);
      countSignIn('succeeded');
      request.log.info({ outcome: 'succeeded', ip: request.ip, customer: customerId }, 'a sign-in succeeded');
      if (unreadClaim) {
        const { message: reason } = unreadClaim;
        request.log.warn({ reason, customer: customerId }, 'userinfo could not be read for ADMIN_CLAIM');
      }
      if (isListedUnverified(candidate, sessionPolicy))
        request.log.warn({ customer: customerId }, unverifiedAdmin);
      return true;
    } catch (error) {
      failSignIn(request, reply, error);
      return false;
    }
  }

  /**
   * Logs and counts a failed sign-in, and sets 503 if the database was unavailable; the visitor sees nothing (spec
   * section 8).
   */
  function failSignIn(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    const outcome = error instanceof SignInError ? error.outcome : 'failed';
    if (error instanceof Error && isUnavailable(error)) {
      const problem = asProblem(error);
      onRefused(problem);
      reply.code(problem.status).header('retry-after', String(problem.retryAfterS));
    }
    const { ip } = request;
    countSignIn(outcome);
    if (isBeyondLimit('sign-in', outcome)) return;
    if (outcome === 'failed' && !isUnavailable(error)) {
      request.log.error({ outcome, ip, err: error }, 'a sign-in failed');
      return;
    }
    const { level, message } = reports[outcome] ?? { level: 'info', message: 'a sign-in did not succeed' };
    request.log[level]({ outcome, ip, reason: error instanceof Error ? error.message : undefined }, message);
  }

  app.get(
    paths.signInPopupScript,
    { config: { access: 'public' }, schema: { hide: true, response: { 200: Type.String() } } },
    async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(popupScript),
  );

  app.get(
    paths.session,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'findSession',
        tags: ['sign-in'],
        summary: 'Returns the signed-in user, or null',
        description: 'Null stands for no session: it is no error.',
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
      const sessionId = readSessionId(request, cookies);
      const customer = sessionId === undefined ? undefined : await findCustomer(db, sessionId, sessionPolicy);
      if (!customer) return reply.serializer(JSON.stringify).send(null);
      const { name: userName, email, photo } = customer;
      const receipts = isWithoutReceipts(customer) ? { hasNoReceipts: true as const } : {};
      return reply.send({ userName, email, photo, ...receipts });
    },
  );

  await app.register(backchannelLogoutRoutes, { db, provider, isBeyondLimit });

  app.post(
    paths.signOut,
    {
      config: { access: 'public', limit: 'sign-outs' },
      schema: {
        operationId: 'signOut',
        tags: ['sign-in'],
        summary: 'Ends the session, or every session of the customer',
        description:
          'The session ends in the store; the cookie is deleted. Without a session there is nothing to end, and that is no error.',
        body: SignOut,
        response: {
          204: { description: 'The session is over.' },
          ...problemResponses(400, 'SIGN_IN_REQUIRED', 403, 415, 429),
        },
      },
      preValidation: (request, _reply, done) => {
        // The body is optional, and the validator would take a missing one for null.
        request.body ??= {};
        done();
      },
    },
    async (request, reply) => {
      const sessionId = readSessionId(request, cookies);
      const { everywhere } = request.body;
      const customer =
        everywhere && sessionId !== undefined ? await findCustomer(db, sessionId, sessionPolicy) : undefined;
      if (sessionId !== undefined && (customer || !everywhere)) {
        const ended = customer
          ? { customer: customer.id, sessions: await endSessionsOfCustomer(db, customer.id) }
          : { customer: await endSession(db, sessionId), sessions: 1 };
        if (ended.customer) request.log.info({ ip: request.ip, ...ended }, 'a customer signed out');
      }
      // Last: a browser repeats a sign-out that failed, and needs the cookie for it.
      clearSessionCookie(reply, cookies);
      // A session that has ended names no customer: their other sessions live on.
      if (everywhere && !customer) throw new Problem('SIGN_IN_REQUIRED');
      return reply.code(204).send();
    },
  );
};

/** Without the e-mail: the database has the customer of the line's id. */
const unverifiedAdmin =
  'ADMIN_EMAILS has the e-mail of a customer, who is no admin: the identity provider does not say that it is verified (email_verified)';

/** How outcomes are logged that the owner should know of. The others are the visitor's. */
const reports: Partial<Record<AttemptOutcome, { level: 'warn' | 'error'; message: string }>> = {
  client_refused: {
    level: 'error',
    message: 'the identity provider refuses the store: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  },
  provider_unreachable: {
    level: 'warn',
    message: 'the identity provider could not be reached, or not be used',
  },
  failed: { level: 'warn', message: 'a sign-in failed' },
};

/** Sends the popup's last page or, in the same tab, a redirect. */
function sendOutcome(
  reply: FastifyReply,
  { channel, returnTo }: Pick<Attempt, 'channel' | 'returnTo'>,
  signedIn: boolean,
): FastifyReply {
  if (channel !== '') {
    return reply
      .headers(pagePolicy())
      .type('text/html; charset=utf-8')
      .send(popupPage(channel, { signedIn }));
  }
  // The status is given for the same reason as in the callback.
  return reply.redirect(signedIn ? returnTo : loginAddress(returnTo), 302);
}

const loginAddress = (returnTo: string): string => `${screens.login}?${new URLSearchParams({ returnTo })}`;

/**
 * Whether a page of another site opened this address. A provider that asks nothing would complete such a sign-in, and the
 * visitor would have a session without having asked for one. A navigation has no `Origin`, but pages of the store send
 * their origin as `Referer`. An image or a frame begins none either. A browser without Fetch Metadata is let through.
 */
function isSentByForeignPage({ headers }: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': destination, referer = '' } = headers;
  if (destination !== undefined && destination !== 'document') return true;
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  if (site !== 'cross-site' && site !== 'same-site') return true;
  return !URL.canParse(referer) || !ownOrigins.includes(new URL(referer).origin);
}
