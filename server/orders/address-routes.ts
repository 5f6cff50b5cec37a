import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AddressCorrection, KnownAddress, Order, OrderParams } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { signedInCustomer } from '../access/guards.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { type CookiePolicy, readSessionId } from '../sign-in/session-cookie.ts';
import { findSessionAddress } from '../sign-in/sessions.ts';
import { correctAddress, findLastAddress } from './delivery-address.ts';
import { presentOrder } from './orders.ts';

/** The buyer's calls about where an order is sent. A shop with `DELIVERY=off` has none of them. */
export const addressRoutes: FastifyPluginAsyncTypebox<{ db: Db; cookies: CookiePolicy }> = async (
  app,
  { db, cookies },
) => {
  app.get(
    paths.address,
    {
      config: { access: 'customer' },
      schema: {
        operationId: 'findAddress',
        tags: ['orders'],
        summary: 'Returns the address that a checkout begins with, or null',
        description:
          'The address that the customer has given last; otherwise the `address` claim of the identity provider, where it sends one.',
        response: { 200: KnownAddress, ...problemResponses(401) },
      },
    },
    async (request, reply) => {
      const { id } = signedInCustomer(request);
      const sessionId = readSessionId(request, cookies) ?? '';
      const deliveryAddress = (await findLastAddress(db, id)) ?? (await findSessionAddress(db, sessionId));
      reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
      return reply.send(deliveryAddress === null ? null : { deliveryAddress });
    },
  );

  app.patch(
    paths.order.pattern,
    {
      config: { access: 'customer', limit: 'orders' },
      schema: {
        operationId: 'correctAddress',
        tags: ['orders'],
        summary: 'Changes where an order is sent',
        description: 'Until it is marked as sent or withdrawn: then `ALREADY_SENT` or `WITHDRAWN`.',
        params: OrderParams,
        body: AddressCorrection,
        response: {
          200: Order,
          ...problemResponses(
            400,
            401,
            403,
            'ORDER_NOT_FOUND',
            'CUSTOMER_NOT_FOUND',
            'ALREADY_SENT',
            'WITHDRAWN',
            415,
            429,
          ),
        },
      },
    },
    async (request) => {
      const { deliveryAddress } = request.body;
      const customer = signedInCustomer(request);
      return presentOrder(await correctAddress(db, customer, request.params.id, deliveryAddress));
    },
  );
};
