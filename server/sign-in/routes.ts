import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import { Session, SignOut } from '../../contract/session.ts';
import { acceptNoBody } from '../http/bodies.ts';
import { Problem } from '../http/problems.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import { backchannelLogoutRoutes } from './backchannel-logout.ts';
import { popupScript } from './popup-page.ts';
import { clearSessionCookie, readSessionId } from './session-cookie.ts';
import { type Customer, endSession, endSessionsOfCustomer, findCustomer } from './sessions.ts';
import { type SignInParts, signInRoutes } from './sign-in-routes.ts';

type Parts = SignInParts & {
  isWithoutReceipts(customer: Customer): boolean;
};

/** Sign-in, session and sign-out (spec sections 2 and 4). */
export const sessionRoutes: FastifyPluginAsyncTypebox<Parts> = async (app, parts) => {
  const { db, cookies, sessionPolicy, isWithoutReceipts } = parts;
  await app.register(signInRoutes, parts);
  await app.register(backchannelLogoutRoutes, parts);

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
        ...described('sign-in', 'findSession', 'Returns the signed-in user, or null'),
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

  app.post(
    paths.signOut,
    {
      config: { access: 'public', limit: 'sign-outs' },
      schema: {
        ...described('sign-in', 'signOut', 'Ends the session, or every session of the customer'),
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
      // The cookie is cleared last: a browser repeats a failed sign-out, and needs the cookie for it.
      clearSessionCookie(reply, cookies);
      // A session that has ended names no customer, so the customer's other sessions could not be ended.
      if (everywhere && !customer) throw new Problem('SIGN_IN_REQUIRED');
      return reply.code(204).send();
    },
  );
};
