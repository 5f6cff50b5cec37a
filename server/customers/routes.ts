import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  CustomerOrdersQuery,
  CustomerParams,
  CustomersQuery,
  customerExportExample,
  DeskCustomer,
  EndedSessions,
  ErasedCustomer,
} from '../../contract/desk/customers.ts';
import { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import { actorOf } from '../access/guards.ts';
import type { Db } from '../database/tables.ts';
import type { SendExport } from '../exports/send-export.ts';
import { problemResponses } from '../http/error-handler.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { listDeskOrders } from '../orders/desk-orders.ts';
import {
  blockCustomer,
  findCustomerById,
  findCustomers,
  findSimilarCustomers,
  listCustomers,
  signOutCustomer,
} from './customers.ts';
import { eraseCustomer } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';

type CustomerParts = { db: Db; deskDb: Db; sendExport: SendExport };

/** The owner's calls about customers. No script's token admits to them: they are about persons. */
export const customerRoutes: FastifyPluginAsyncTypebox<CustomerParts> = async (
  app,
  { db, deskDb, sendExport },
) => {
  const config = { access: 'desk', limit: 'desk' } as const;
  const changing = { ...config, hasNoBody: true };
  const tags = ['desk'];
  const params = CustomerParams;
  const problems = problemResponses(400, 401, 403, 'CUSTOMER_NOT_FOUND', 429);

  app.get(
    deskPaths.customers,
    {
      config,
      schema: {
        operationId: 'findCustomers',
        tags,
        summary:
          'Finds customers by their e-mail or name: at most 50, in the order of the e-mails; or the newest or best ten',
        querystring: CustomersQuery,
        response: { 200: Type.Array(DeskCustomer), ...problemResponses(400, 401, 403, 429) },
      },
    },
    async ({ query: { q, email = q, sort, spelling } }) => {
      if (email === undefined && sort !== undefined) return await listCustomers(deskDb, sort);
      if (email === undefined) throw fieldProblem('q', 'Required.');
      return await (spelling === 'similar' ? findSimilarCustomers : findCustomers)(deskDb, email);
    },
  );

  app.get(
    deskPaths.customerOrders.pattern,
    {
      config,
      schema: {
        operationId: 'listOrdersOfCustomer',
        tags,
        summary: 'Lists the orders of a customer, newest first',
        description: 'When more orders may follow, `Link` names the next page.',
        params,
        querystring: CustomerOrdersQuery,
        response: { 200: Type.Array(DeskOrder), ...problems },
      },
    },
    async (request, reply) => {
      const { _id: customerId } = await findCustomerById(db, request.params.id);
      const { limit = maxPageSize, cursor } = request.query;
      const { orders, nextCursor } = await listDeskOrders(deskDb, { customerId }, { limit, cursor });
      if (nextCursor) {
        reply.header('link', nextPageLink(deskPaths.customerOrders(customerId), request.query, nextCursor));
      }
      return orders;
    },
  );

  app.get(
    deskPaths.customerExport.pattern,
    {
      config,
      schema: {
        operationId: 'exportCustomer',
        tags,
        summary: 'Everything that the store has about a customer, as JSON',
        description: 'For a customer who asks what the store has about them.',
        params,
        response: {
          200: {
            content: { 'application/json': { schema: Type.Any({ examples: [customerExportExample] }) } },
          },
          ...problems,
        },
      },
    },
    async (request, reply) => {
      // The customer’s id, because the address may have any text in its place.
      const { _id } = await findCustomerById(db, request.params.id);
      const read = () => exportCustomer({ db, readDb: deskDb }, _id, actorOf(request));
      const type = 'application/json; charset=utf-8';
      return await sendExport(request, reply, { name: ['customer', _id], ending: 'json', type, read });
    },
  );

  app.post(
    deskPaths.customerSignOut.pattern,
    {
      config: changing,
      schema: {
        operationId: 'signOutCustomer',
        tags,
        summary: 'Ends every session of a customer',
        params,
        response: { 200: EndedSessions, ...problems },
      },
    },
    async (request) => ({ sessions: await signOutCustomer(db, request.params.id, actorOf(request)) }),
  );

  for (const isBlocked of [true, false]) {
    app.post(
      (isBlocked ? deskPaths.customerBlock : deskPaths.customerUnblock).pattern,
      {
        config: changing,
        schema: {
          operationId: isBlocked ? 'blockCustomer' : 'unblockCustomer',
          tags,
          summary: isBlocked
            ? 'Ends every session of a customer, who may sign in no more'
            : 'Lets a blocked customer sign in again',
          params,
          response: { 200: DeskCustomer, ...problems },
        },
      },
      async (request) => {
        if (isBlocked) refuseOneself(request);
        return await blockCustomer(db, request.params.id, { isBlocked }, actorOf(request));
      },
    );
  }

  app.post(
    deskPaths.customerErase.pattern,
    {
      config: changing,
      schema: {
        operationId: 'eraseCustomer',
        tags,
        summary: 'Removes the person for good; the orders keep book, price and day',
        params,
        response: { 200: ErasedCustomer, ...problems },
      },
    },
    async (request) => {
      refuseOneself(request);
      const orders = await eraseCustomer(db, request.params.id, actorOf(request));
      return { erased: true as const, orders };
    },
  );
};

/** The only admin would be locked out of the desk. @throws {Problem} NOT_ALLOWED. */
function refuseOneself(request: FastifyRequest<{ Params: { id: string } }>): void {
  if (actorOf(request).customerId !== request.params.id) return;
  throw new Problem('NOT_ALLOWED', {
    detail: 'This is your own account. `npm run shop -- customers` can do it.',
  });
}
