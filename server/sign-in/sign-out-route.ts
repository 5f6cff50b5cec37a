import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { paths } from '../../contract/paths.ts';
import { SignOut } from '../../contract/session.ts';
import type { Db } from '../database/tables.ts';
import { acceptNoBody } from '../http/bodies.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { type CookiePolicy, clearSessionCookie, readSessionId } from './session-cookie.ts';
import { endSession, endSessionsOfCustomer, findCustomer, type SessionPolicy } from './sessions.ts';

type SignOutParts = { db: Db; cookies: CookiePolicy; sessionPolicy: SessionPolicy };

/** `POST /auth/sign-out`: here, or everywhere. */
export const signOutRoute: FastifyPluginAsyncTypebox<SignOutParts> = async (
  app,
  { db, cookies, sessionPolicy },
) => {
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
      preValidation: acceptNoBody,
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
