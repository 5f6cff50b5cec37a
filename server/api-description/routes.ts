import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { paths } from '../../contract/paths.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import type { ApiDocument } from './docs-page.ts';

/** `/openapi.json` and `/docs`: the description of the API for programs and for people. */
export const apiDescriptionRoutes: FastifyPluginAsync<{ responseCache: ResponseCache }> = async (
  app,
  { responseCache },
) => {
  const describe = async () => {
    const { docsPolicy, renderDocs } = await import('./docs-page.ts');
    const document = app.swagger();
    const page = renderDocs(document as unknown as ApiDocument);
    return { json: JSON.stringify(document), page, pagePolicy: docsPolicy };
  };
  // It is made at the first request: few stores need it, and each start would take longer.
  let described: ReturnType<typeof describe> | undefined;
  const description = () => {
    described ??= describe().catch((error: unknown) => {
      described = undefined;
      throw error;
    });
    return described;
  };
  // An address with a query is not stored: a client could make up any number of them.
  const policyOf = ({ url }: FastifyRequest, path: string) =>
    url === path ? { key: path, isCompressed: true } : { key: undefined };

  app.get(paths.openApi, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const type = 'application/json; charset=utf-8';
    await responseCache.send(request, reply, policyOf(request, paths.openApi), async () => ({
      text: (await description()).json,
      type,
    }));
    return reply;
  });

  app.get(paths.docs, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers((await description()).pagePolicy);
    await responseCache.send(request, reply, policyOf(request, paths.docs), async () => ({
      text: (await description()).page,
      type: 'text/html; charset=utf-8',
    }));
    return reply;
  });
};
