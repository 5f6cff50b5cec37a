import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import * as Part from '../../contract/schema-parts.ts';
import type { Db } from '../database/tables.ts';
import { fieldProblem, Problem, problemBody } from '../http/problems.ts';
import type { LineLimit } from '../http/request-log.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import { SignInError } from './attempt-outcome.ts';
import type { SignInProvider } from './provider.ts';
import { endSessionsOfProvider } from './sessions.ts';

const maxBodyBytes = 16 * 1024;

/** A problem with the members that OpenID Connect Back-Channel Logout, section 2.8, defines. */
const presentAsOAuth = (problem: Problem, requestId: string) => ({
  ...problemBody(problem, requestId),
  error: problem.status >= 500 ? 'temporarily_unavailable' : 'invalid_request',
  error_description: problem.errors?.[0]?.message ?? problem.message,
});

/** Lets the provider end sessions (OpenID Connect Back-Channel Logout 1.0). No other route accepts a form as its body. */
export const backchannelLogoutRoutes: FastifyPluginAsyncTypebox<{
  db: Db;
  provider: SignInProvider;
  isBeyondLimit: LineLimit;
}> = async (app, { db, provider, isBeyondLimit }) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  app.post(
    paths.backchannelLogout,
    {
      bodyLimit: maxBodyBytes,
      config: { access: 'public', limit: 'logouts', presentProblem: presentAsOAuth },
      schema: {
        ...described(
          'sign-in',
          'endSessionsOfProvider',
          'Ends sessions for the identity provider, which proves itself with a logout token',
        ),
        description:
          'OpenID Connect Back-Channel Logout 1.0: the sessions of the user, or the one that the token names, end.',
        consumes: ['application/x-www-form-urlencoded'],
        body: Part.Named('BackchannelLogout', {
          logout_token: Type.String({ minLength: 1, description: 'Signed by the provider.' }),
        }),
        response: { 200: { description: 'The sessions are over.' }, ...problemResponses(400, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const logout = await provider.readLogoutToken(request.body.logout_token).catch((error: unknown) => {
        if (!(error instanceof SignInError)) throw error;
        if (!isBeyondLimit(`logout ${error.outcome}`))
          request.log.warn({ reason: error.message }, 'a logout token was refused');
        if (error.outcome === 'invalid_token') throw fieldProblem('logout_token', error.message);
        // After a failure, the provider may send the token again.
        throw new Problem('UNAVAILABLE', { cause: error });
      });
      const sessions = await endSessionsOfProvider(db, logout);
      request.log.info({ sessions }, 'the identity provider ended sessions');
      return reply.code(200).send();
    },
  );
};
