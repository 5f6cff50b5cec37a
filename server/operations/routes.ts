import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import { problemResponses, sendProblem } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import type { ApiDocument } from './docs-page.ts';
import type { Metrics } from './metrics.ts';
import { securityText } from './security-text.ts';

export type OperationsParts = {
  /** Whether the store is about to stop, and should get no more requests. */
  isStopping(): boolean;
  /** @throws while the database cannot serve. */
  checkReadiness(): Promise<void>;
  metrics: Metrics;
  responseCache: ResponseCache;
  publicUrl: URL;
  /** Undefined: there is no address for weaknesses. */
  securityContact: string | undefined;
};

/** Health, readiness, metrics, the security contact, and the description of the API for programs and for people. */
export const operationsRoutes: FastifyPluginAsyncTypebox<OperationsParts> = async (
  app,
  { isStopping, checkReadiness, metrics, responseCache, publicUrl, securityContact },
) => {
  app.get(
    paths.health,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'isAlive',
        tags: ['operations'],
        summary: 'Reports that the process responds',
        description: 'It asks no database: an orchestrator restarts a process that does not respond.',
        response: { 200: Type.Object({ status: Type.Literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    paths.readiness,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'isReady',
        tags: ['operations'],
        summary: 'Reports that the database serves too',
        description:
          'A load balancer sends no requests to a store that is not ready: one without its database, or one that is about to stop.',
        response: { 200: Type.Object({ status: Type.Literal('ready') }), ...problemResponses(503) },
      },
    },
    async (request, reply) => {
      // It is no fault, and so not logged as one.
      if (isStopping()) return sendProblem(request, reply, new Problem('UNAVAILABLE'));
      await checkReadiness();
      return { status: 'ready' as const };
    },
  );

  app.get(
    paths.metrics,
    {
      config: { access: 'operator' },
      schema: {
        operationId: 'readMetrics',
        tags: ['operations'],
        summary: 'Measurements in the text format of Prometheus',
        description: 'Requests, durations, orders, statements, caches and mail.',
        response: {
          200: { content: { 'text/plain': { schema: Type.String() } } },
          ...problemResponses(401, 403),
        },
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );

  app.get(
    paths.securityContact,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'findSecurityContact',
        tags: ['operations'],
        summary: 'Where to report a weakness (RFC 9116)',
        description: 'Only with SECURITY_CONTACT.',
        response: {
          200: { content: { 'text/plain': { schema: Type.String() } } },
          ...problemResponses('NOT_FOUND'),
        },
      },
    },
    async (_request, reply) => {
      if (securityContact === undefined) return reply.callNotFound();
      reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache');
      return reply.send(securityText(securityContact, publicUrl));
    },
  );

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
