import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { OrderCountsQuery } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { OrderCounts, Today } from '../../contract/desk/today.ts';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import { timesOf } from '../http/day-range.ts';
import { problemResponses } from '../http/error-handler.ts';
import { countOrders, findToday } from './today.ts';

type TodayParts = {
  deskDb: Db;
  space: Database['space'];
  mail: { mode: string };
  /** The zone of the shop's clocks. */
  zone: string;
};

/** The owner’s first view, and the counts beside the orders. */
export const todayRoutes: FastifyPluginAsyncTypebox<TodayParts> = async (
  app,
  { deskDb, space, mail, zone },
) => {
  app.get(
    deskPaths.today,
    {
      config: { access: 'desk', limit: 'desk' },
      schema: {
        operationId: 'findToday',
        tags: ['desk'],
        summary:
          'What waits for the owner, the revenue of this week and the last one, and the last ten orders',
        response: { 200: Today, ...problemResponses(401, 403, 429) },
      },
    },
    () => findToday({ db: deskDb, space }, { zone, sendsMail: mail.mode === 'sent' }),
  );

  app.get(
    deskPaths.orderCounts,
    {
      config: { access: 'desk', scope: 'orders', limit: 'desk' },
      schema: {
        operationId: 'countOrders',
        tags: ['desk'],
        summary: 'Counts the orders of each state',
        querystring: OrderCountsQuery,
        response: { 200: OrderCounts, ...problemResponses(400, 401, 403, 429) },
      },
    },
    ({ query }) => countOrders(deskDb, timesOf(query, zone)),
  );
};
