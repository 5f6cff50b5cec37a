import type { FastifyPluginAsync } from 'fastify';
import { paths } from '../../contract/paths.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { type ApiDocument, docsPage, docsPolicy } from './docs-page.ts';

/** `/openapi.json` and `/docs`: the description of the API for programs and for people. */
export const apiDescriptionRoutes: FastifyPluginAsync<{ responseCache: ResponseCache }> = async (
  app,
  { responseCache },
) => {
  const serve = (path: string, type: string, render: () => string, headers = {}): void => {
    app.get(path, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      const key = keyWithoutQuery(request, path);
      // The document is compressed once, because no rate limit protects its address.
      const policy = { key, isCompressed: key !== undefined };
      const load = async () => ({ text: render(), type });
      return await responseCache.send(request, reply.headers(headers), policy, load);
    });
  };
  serve(paths.openApi, 'application/json; charset=utf-8', () => JSON.stringify(app.swagger()));
  const renderDocs = () => docsPage(app.swagger() as unknown as ApiDocument);
  serve(paths.docs, 'text/html; charset=utf-8', renderDocs, docsPolicy);
};
