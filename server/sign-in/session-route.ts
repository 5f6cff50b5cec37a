import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { paths } from '../../contract/paths.ts';
import { Session } from '../../contract/session.ts';
import type { Db } from '../database/tables.ts';
import { type CookiePolicy, readSessionId } from './session-cookie.ts';
import { type Customer, findCustomer, type SessionPolicy } from './sessions.ts';

export type SessionRouteParts = {
  db: Db;
  cookies: CookiePolicy;
  sessionPolicy: SessionPolicy;
  /** True for a customer without receipts in a shop that sends them. */
  isWithoutReceipts(customer: Customer): boolean;
};

/** `GET /auth/session`: who is signed in. */
export const sessionRoute: FastifyPluginAsyncTypebox<SessionRouteParts> = async (
  app,
  { db, cookies, sessionPolicy, isWithoutReceipts },
) => {
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
};
