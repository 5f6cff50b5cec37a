import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { deskPaths } from '../../contract/desk/paths.ts';
import { BestSeller, BestSellersQuery, Sales, SalesQuery } from '../../contract/desk/sales.ts';
import type { Db } from '../database/tables.ts';
import { csvLine } from '../exports/csv-line.ts';
import type { SendExport } from '../exports/send-export.ts';
import { problemResponses } from '../http/error-handler.ts';
import { listBestSellers, listSales } from './sales.ts';

type SalesParts = {
  deskDb: Db;
  sendExport: SendExport;
  /** The zone of the shop's clocks. */
  zone: string;
};

/** The owner's calls about sales. */
export const salesRoutes: FastifyPluginAsyncTypebox<SalesParts> = async (
  app,
  { deskDb, sendExport, zone },
) => {
  const config = { access: 'desk', scope: 'orders', limit: 'desk' } as const;
  const list = ({ by = 'day', ...range }: SalesQuery) => listSales(deskDb, { by, ...range }, { zone });

  app.get(
    deskPaths.sales,
    {
      config,
      schema: {
        operationId: 'listSales',
        tags: ['desk'],
        summary: 'Orders and revenue by day, week or month, oldest first',
        description: 'Without withdrawn orders. Periods without an order are in the list too.',
        querystring: SalesQuery,
        response: { 200: Type.Array(Sales), ...problemResponses(400, 401, 403, 429) },
      },
    },
    ({ query }) => list(query),
  );

  app.get(
    deskPaths.salesExport,
    {
      config,
      schema: {
        operationId: 'exportSales',
        tags: ['desk'],
        summary: 'Orders and revenue by day, week or month as a CSV file, oldest first',
        description: 'CSV as RFC 4180 defines it, in UTF-8 with a byte order mark.',
        querystring: SalesQuery,
        response: {
          200: {
            content: {
              'text/csv': { schema: Type.Any({ examples: ['from,to,orders,revenue\r\n'] }) },
            },
          },
          ...problemResponses(400, 401, 403, 429),
        },
      },
    },
    async (request, reply) => {
      const { by = 'day', from, to } = request.query;
      // Before the response begins: the days may be wrong.
      const sales = await list(request.query);
      const rows = sales.map((row) => [row.from, row.to, String(row.orders), row.revenue.toFixed(2)]);
      const lines = [['from', 'to', 'orders', 'revenue'], ...rows].map(csvLine);
      const name = ['sales', 'by', by, ...(from ? ['from', from] : []), ...(to ? ['to', to] : [])];
      const type = 'text/csv; charset=utf-8';
      return await sendExport(request, reply, {
        name,
        ending: 'csv',
        type,
        read: async () => ['\uFEFF', ...lines],
      });
    },
  );

  app.get(
    deskPaths.bestSellers,
    {
      config,
      schema: {
        operationId: 'listBestSellers',
        tags: ['desk'],
        summary: 'The books that were sold most',
        description: 'By the number of orders, without withdrawn ones, the most first.',
        querystring: BestSellersQuery,
        response: { 200: Type.Array(BestSeller), ...problemResponses(400, 401, 403, 429) },
      },
    },
    ({ query: { limit = 20, ...range } }) => listBestSellers(deskDb, { limit, ...range }, { zone }),
  );
};
