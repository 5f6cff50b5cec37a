import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { paths } from '../../contract/paths.ts';
import { Front } from '../../contract/shop-front.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import { frontLifetimeMs } from './read-front.ts';

type FrontParts = { responseCache: ResponseCache; findFront: () => Promise<Front> };

export const frontRoutes: FastifyPluginAsyncTypebox<FrontParts> = async (
  app,
  { responseCache, findFront },
) => {
  app.get(
    paths.front,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        ...described('catalogue', 'readFront', 'Reads what the home screen shows above its list'),
        description:
          'The front table, rows of books by subject and of those bought most, and the number of books. Sales show some minutes later.',
        response: { 200: Front, ...problemResponses(429) },
      },
    },
    async (request, reply) => {
      const key = keyWithoutQuery(request, paths.front);
      const policy = { key, isCompressed: true, lifetimeMs: frontLifetimeMs };
      return await responseCache.send(request, reply, policy, async () => ({
        text: JSON.stringify(await findFront()),
      }));
    },
  );
};
