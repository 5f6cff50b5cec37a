import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { paths } from '../../contract/paths.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import type { ApiDocument } from './docs-page.ts';

/** `/openapi.json` and `/docs`: the description of the API for programs and for people. */
export const apiDescriptionRoutes: FastifyPluginAsync<{
  responseCache: ResponseCache;
  /** The folder of the built browser app, whose font the page has. */
  pagesFolder: string;
}> = async (app, { responseCache, pagesFolder }) => {
  const describe = async () => {
    const { docsPage } = await import('./docs-page.ts');
    const document = app.swagger();
    const docs = docsPage(document as unknown as ApiDocument, await findFont(pagesFolder));
    return { json: JSON.stringify(document), docs };
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
  const policyOf = (request: FastifyRequest, path: string) => {
    const key = keyWithoutQuery(request, path);
    // It is compressed once: the address has no limit of requests.
    return { key, isCompressed: key !== undefined };
  };

  app.get(paths.openApi, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const type = 'application/json; charset=utf-8';
    await responseCache.send(request, reply, policyOf(request, paths.openApi), async () => ({
      text: (await description()).json,
      type,
    }));
    return reply;
  });

  app.get(paths.docs, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers((await description()).docs.policy);
    await responseCache.send(request, reply, policyOf(request, paths.docs), async () => ({
      text: (await description()).docs.page,
      type: 'text/html; charset=utf-8',
    }));
    return reply;
  });
};

/** @returns the address of the font for Latin letters in the build; undefined without one. */
const findFont = async (pagesFolder: string): Promise<string | undefined> => {
  const files = await readdir(join(pagesFolder, 'assets')).catch(() => []);
  const file = files.find((name) => /^literata-latin-[\w-]{8}\.woff2$/.test(name));
  return file && `/assets/${file}`;
};
