import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { paths } from '../../contract/paths.ts';
import { Suggestions, SuggestQuery } from '../../contract/suggestions.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import type { SoldCounts } from './sold-counts.ts';
import { suggest } from './suggestions.ts';

type SearchParts = { listDb: Db; responseCache: ResponseCache; soldCounts: () => SoldCounts };

export const searchRoutes: FastifyPluginAsyncTypebox<SearchParts> = async (
  app,
  { listDb, responseCache, soldCounts },
) => {
  app.get(
    paths.suggest,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        operationId: 'suggest',
        tags: ['catalogue'],
        summary: 'Suggests authors and books while a visitor types',
        description: 'Misspelt words suggest what they mean; none suggest nothing.',
        querystring: SuggestQuery,
        response: { 200: Suggestions, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const { q = '' } = request.query;
      // A client could make up any number of words: none are stored.
      const policy = { key: undefined, isCompressed: true };
      await responseCache.send(request, reply, policy, async () => ({
        text: JSON.stringify(await suggest(listDb, q, soldCounts())),
      }));
      return reply;
    },
  );
};
