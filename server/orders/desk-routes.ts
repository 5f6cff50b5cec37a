import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  DeskOrder,
  DeskOrdersQuery,
  MarkedOrder,
  MarkOrders,
  OrdersExportQuery,
} from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { BestSeller, BestSellersQuery, Sales, SalesQuery } from '../../contract/desk/sales.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import { AddressCorrection, OrderParams } from '../../contract/order.ts';
import { actorOf } from '../access/guards.ts';
import type { Db } from '../database/tables.ts';
import type { SendExport } from '../exports/send-export.ts';
import { timesOf } from '../http/day-range.ts';
import { problemResponses } from '../http/error-handler.ts';
import { setAddress } from './delivery-address.ts';
import { listDeskOrders, markOrders } from './desk-orders.ts';
import { exportOrders, exportTypes } from './export-orders.ts';
import { listBestSellers, listSales } from './sales.ts';

type DeskOrderParts = { db: Db; deskDb: Db; sendExport: SendExport };

/** The owner's calls about orders and sales. */
export const deskOrderRoutes: FastifyPluginAsyncTypebox<DeskOrderParts> = async (
  app,
  { db, deskDb, sendExport },
) => {
  const config = { access: 'desk', scope: 'orders', limit: 'desk' } as const;

  app.get(
    deskPaths.orders,
    {
      config,
      schema: {
        operationId: 'listDeskOrders',
        tags: ['desk'],
        summary: 'Lists the orders of all customers, newest first',
        description:
          'When more orders may follow, `Link` names the next page. A page of a search may be short, or empty, although ' +
          'another one follows: the store reads a limited number of orders for each.',
        querystring: DeskOrdersQuery,
        response: { 200: Type.Array(DeskOrder), ...problemResponses(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { limit = maxPageSize, cursor } = request.query;
      const page = await listDeskOrders(deskDb, filterOf(request.query), { limit, cursor });
      if (page.nextCursor) {
        reply.header('link', nextPageLink(deskPaths.orders, request.query, page.nextCursor));
      }
      return page.orders;
    },
  );

  app.post(
    deskPaths.ordersSent,
    {
      config,
      schema: {
        operationId: 'markOrders',
        tags: ['desk'],
        summary: 'Marks orders as sent, or takes the mark back',
        description:
          'Orders that are marked already keep their time. The response has the orders that exist.',
        body: MarkOrders,
        response: { 200: Type.Array(MarkedOrder), ...problemResponses(400, 401, 403, 415, 429) },
      },
    },
    (request) => markOrders(db, request.body, actorOf(request)),
  );

  app.patch(
    deskPaths.order.pattern,
    {
      config,
      schema: {
        operationId: 'setAddress',
        tags: ['desk'],
        summary: 'Changes where an order is sent',
        description: 'Until it is marked as sent: then `ALREADY_SENT`.',
        params: OrderParams,
        body: AddressCorrection,
        response: {
          200: DeskOrder,
          ...problemResponses(
            400,
            401,
            403,
            'ORDER_NOT_FOUND',
            'CUSTOMER_NOT_FOUND',
            'ALREADY_SENT',
            415,
            429,
          ),
        },
      },
    },
    async (request) => {
      const { params, body } = request;
      return await setAddress(db, params.id, body.deliveryAddress, actorOf(request));
    },
  );

  app.get(
    deskPaths.ordersExport,
    {
      config,
      schema: {
        operationId: 'exportOrders',
        tags: ['desk'],
        summary: 'The orders as a file, oldest first',
        description:
          'CSV as RFC 4180 defines it, in UTF-8 with a byte order mark; what a spreadsheet would compute has an ' +
          'apostrophe before it. Or JSON Lines: an order as in the list on each line.',
        querystring: OrdersExportQuery,
        response: {
          200: {
            content: Object.fromEntries(
              Object.values(exportTypes).map((type) => [type.split(';')[0], { schema: Type.Any() }]),
            ),
          },
          ...problemResponses(400, 401, 403, 429),
        },
      },
    },
    async (request, reply) => {
      const { format = 'csv' } = request.query;
      const chosen = { format, filter: filterOf(request.query) };
      const read = () => exportOrders({ db, readDb: deskDb }, chosen, actorOf(request));
      const file = { name: nameOf(request.query), ending: format, type: exportTypes[format], read };
      return await sendExport(request, reply, file);
    },
  );

  app.get(
    deskPaths.sales,
    {
      config,
      schema: {
        operationId: 'listSales',
        tags: ['desk'],
        summary: 'Orders and revenue by day, week or month, oldest first',
        description: 'Periods without an order are in the list too.',
        querystring: SalesQuery,
        response: { 200: Type.Array(Sales), ...problemResponses(400, 401, 403, 429) },
      },
    },
    ({ query: { by = 'day', ...range } }) => listSales(deskDb, { by, ...range }),
  );

  app.get(
    deskPaths.bestSellers,
    {
      config,
      schema: {
        operationId: 'listBestSellers',
        tags: ['desk'],
        summary: 'The books that were sold most',
        description: 'By the number of orders, the most first.',
        querystring: BestSellersQuery,
        response: { 200: Type.Array(BestSeller), ...problemResponses(400, 401, 403, 429) },
      },
    },
    ({ query: { limit = 20, ...range } }) => listBestSellers(deskDb, { limit, ...range }),
  );
};

/** @returns parts of a name that say what the file has, and never the words of a search: they may be a person's. */
const nameOf = ({ state = 'all', q, from, to }: OrdersExportQuery): string[] => [
  'orders',
  ...(state === 'all' ? [] : [state]),
  ...(q ? ['search'] : []),
  ...(from ? ['from', from] : []),
  ...(to ? ['to', to] : []),
];

const filterOf = ({ state, q, ...days }: DeskOrdersQuery) => ({ state, q, ...timesOf(days) });
