import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { paths, screens } from '../../contract/paths.ts';
import { safeReturnTo } from '../../contract/return-to.ts';
import { SignInQuery } from '../../contract/session.ts';
import { isAttemptName } from '../../contract/sign-in.ts';
import { problemResponses } from '../http/error-handler.ts';
import { sendProblemPage } from '../http/problem-page.ts';
import { type AttemptParts, saveAttempt } from './attempts.ts';
import type { FailSignIn } from './failed-sign-in.ts';
import { loginAddress, sendOutcome } from './popup-page.ts';
import type { SignInProvider } from './provider.ts';

export type SignInRouteParts = AttemptParts & {
  provider: SignInProvider;
  failSignIn: FailSignIn;
  /** The origins whose pages may begin a sign-in, the store's own included. */
  ownOrigins: readonly string[];
  /** Called for each browser that a page of the store sends to the provider. */
  countBegunSignIn(): void;
};

/** `GET /auth/sign-in` begins an attempt. */
export const signInRoute: FastifyPluginAsyncTypebox<SignInRouteParts> = async (
  app,
  { db, cookies, provider, failSignIn, ownOrigins, countBegunSignIn },
) => {
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
        await saveAttempt(request, reply, { db, cookies }, { ...checks, returnTo, channel });
        // Scanners and scripts, which finish no sign-in, send no Fetch Metadata.
        if (request.headers['sec-fetch-site'] === 'same-origin') countBegunSignIn();
        return reply.redirect(address.href);
      } catch (error) {
        failSignIn(request, reply, error);
        return sendOutcome(reply, { returnTo, channel }, false);
      }
    },
  );
};

/**
 * @returns true if a page of another site opened this address. A provider that asks nothing would complete such a sign-in,
 * and the visitor would have a session without having asked for one. A navigation has no `Origin`, but pages of the store send
 * their origin as `Referer`. An image or a frame begins none either. A browser without Fetch Metadata is let through.
 */
function isSentByForeignPage({ headers }: FastifyRequest, ownOrigins: readonly string[]): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': destination, referer = '' } = headers;
  if (destination !== undefined && destination !== 'document') return true;
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  if (site !== 'cross-site' && site !== 'same-site') return true;
  return !URL.canParse(referer) || !ownOrigins.includes(new URL(referer).origin);
}
