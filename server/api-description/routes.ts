import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { paths } from '../../contract/paths.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { type ApiDocument, docsPage, docsPolicy } from './docs-page.ts';

/** `/openapi.json` and `/docs`: the description of the API for programs and for people. */
export const apiDescriptionRoutes: FastifyPluginAsync<{ responseCache: ResponseCache }> = async (
  app,
  { responseCache },
) => {
  const policyOf = (request: FastifyRequest, path: string) => {
    const key = keyWithoutQuery(request, path);
    // It is compressed once: the address has no limit of requests.
    return { key, isCompressed: key !== undefined };
  };

  app.get(paths.openApi, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const type = 'application/json; charset=utf-8';
    await responseCache.send(request, reply, policyOf(request, paths.openApi), async () => ({
      text: JSON.stringify(app.swagger()),
      type,
    }));
    return reply;
  });

  app.get(paths.docs, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers(docsPolicy);
    await responseCache.send(request, reply, policyOf(request, paths.docs), async () => ({
      text: docsPage(app.swagger() as unknown as ApiDocument),
      type: 'text/html; charset=utf-8',
    }));
    return reply;
  });
};
