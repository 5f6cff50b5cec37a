import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import { Way } from '../../contract/ways.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { listWays, presentWay } from './ways.ts';

export const wayRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get(
    paths.ways,
    {
      config: { access: 'public', limit: 'orders' },
      schema: {
        operationId: 'listWays',
        tags: ['orders'],
        summary: 'Lists the ways to get a book, in the shop’s order',
        description: 'Without any, an order needs no `way`.',
        response: { 200: Type.Array(Way), ...problemResponses(429) },
      },
    },
    async () => (await listWays(db)).map(presentWay),
  );
};
