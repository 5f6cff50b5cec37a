import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  DeskOrder,
  DeskOrdersQuery,
  MarkedOrder,
  MarkOrders,
  OrderNote,
  OrdersExportQuery,
  OrderWithHistory,
  Settlement,
} from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import { AddressCorrection, OrderParams, Withdrawal } from '../../contract/order.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import type { SendExport } from '../exports/send-export.ts';
import { acceptNoBody } from '../http/bodies.ts';
import { timesOf } from '../http/day-range.ts';
import { problemResponses } from '../http/error-handler.ts';
import { setAddress } from './delivery-address.ts';
import { listDeskOrders, markOrders } from './desk-orders.ts';
import { exportOrders, exportTypes } from './export-orders.ts';
import { findOrderWithHistory, noteOrder } from './order-history.ts';
import { settleOrder, withdrawForShop } from './withdrawal.ts';

type DeskOrderParts = {
  db: Db;
  deskDb: Db;
  catalogueVersion: CatalogueVersion;
  sendExport: SendExport;
  /** Sends the mail of a withdrawn order, in mode `sent`. */
  mail: { mode: string; wake(): void };
  webhooks: { isOn: boolean; wake(): void };
  /** The zone of the shop's clocks. */
  zone: string;
};

/** The owner's calls about orders. */
export const deskOrderRoutes: FastifyPluginAsyncTypebox<DeskOrderParts> = async (
  app,
  { db, deskDb, catalogueVersion, sendExport, mail, webhooks, zone },
) => {
  const config = { access: 'desk', scope: 'orders', limit: 'desk' } as const;
  const listener = { onShelfChanged: catalogueVersion.recordLocalChange };

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
      const page = await listDeskOrders(deskDb, filterOf(request.query, zone), { limit, cursor });
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
          'Orders that are marked already keep their time. The response has the orders that exist. When one of them is withdrawn, ' +
          'none is marked: `WITHDRAWN`.',
        body: MarkOrders,
        response: { 200: Type.Array(MarkedOrder), ...problemResponses(400, 401, 403, 'WITHDRAWN', 415, 429) },
      },
    },
    async (request) => {
      const marks = { ...request.body, hasEvents: webhooks.isOn };
      const marked = await markOrders(db, marks, actorOf(request));
      webhooks.wake();
      return marked;
    },
  );

  app.patch(
    deskPaths.order.pattern,
    {
      config,
      schema: {
        operationId: 'setAddress',
        tags: ['desk'],
        summary: 'Changes where an order is sent',
        description: 'Until it is marked as sent or withdrawn: then `ALREADY_SENT` or `WITHDRAWN`.',
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
            'WITHDRAWN',
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
    deskPaths.order.pattern,
    {
      config,
      schema: {
        operationId: 'findOrder',
        tags: ['desk'],
        summary: 'Finds an order, with what was done with it',
        params: OrderParams,
        response: {
          200: OrderWithHistory,
          ...problemResponses(400, 401, 403, 'ORDER_NOT_FOUND', 429),
        },
      },
    },
    ({ params }) => findOrderWithHistory(deskDb, params.id),
  );

  app.post(
    deskPaths.orderNote.pattern,
    {
      config,
      schema: {
        operationId: 'noteOrder',
        tags: ['desk'],
        summary: 'Notes something about an order, for the owner alone',
        description: 'The note goes with the person when the customer is erased.',
        params: OrderParams,
        body: OrderNote,
        response: {
          200: DeskOrder,
          ...problemResponses(400, 401, 403, 'ORDER_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 415, 429),
        },
      },
    },
    (request) => noteOrder(db, request.params.id, request.body.note, actorOf(request)),
  );

  app.post(
    deskPaths.orderWithdraw.pattern,
    {
      config,
      schema: {
        operationId: 'withdrawForShop',
        tags: ['desk'],
        summary: 'Withdraws or cancels an order, whenever it was placed or sent',
        description:
          'For a buyer who has written to the shop, or a book that cannot be sent. The buyer gets a mail. Again it changes nothing. ' +
          'A body may be left out.',
        params: OrderParams,
        body: Withdrawal,
        response: {
          200: DeskOrder,
          ...problemResponses(400, 401, 403, 'ORDER_NOT_FOUND', 415, 429),
        },
      },
      preValidation: acceptNoBody,
    },
    async (request) => {
      const { params, body } = request;
      const withdrawal = {
        ...body,
        sendsMail: mail.mode === 'sent',
        hasEvent: webhooks.isOn,
        ...listener,
      };
      const order = await withdrawForShop(db, params.id, withdrawal, actorOf(request));
      mail.wake();
      webhooks.wake();
      return order;
    },
  );

  app.post(
    deskPaths.orderSettle.pattern,
    {
      config,
      schema: {
        operationId: 'settleOrder',
        tags: ['desk'],
        summary: 'Notes that a withdrawn order was refunded, or that its book came back',
        description:
          'An order that is marked already keeps its time. The copy of a book that came back can be sold again.',
        params: OrderParams,
        body: Settlement,
        response: {
          200: DeskOrder,
          ...problemResponses(400, 401, 403, 'ORDER_NOT_FOUND', 'NOT_WITHDRAWN', 415, 429),
        },
      },
    },
    (request) => settleOrder(db, request.params.id, request.body, actorOf(request), listener),
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
      const chosen = { format, filter: filterOf(request.query, zone) };
      const read = () => exportOrders({ db, readDb: deskDb }, chosen, actorOf(request));
      const file = { name: nameOf(request.query), ending: format, type: exportTypes[format], read };
      return await sendExport(request, reply, file);
    },
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

const filterOf = ({ state, q, spelling, ...days }: DeskOrdersQuery, zone: string) => ({
  state,
  q,
  spelling,
  ...timesOf(days, zone),
});
