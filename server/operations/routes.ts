import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import { Vitals } from '../../contract/vitals.ts';
import { sendProblem } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { described, problemResponses, textResponse } from '../http/route-schemas.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

type OperationsParts = {
  isStopping(): boolean;
  readiness: Readiness;
  metrics: Pick<Metrics, 'contentType' | 'text' | 'recordVitals'>;
  settings: Pick<Settings, 'publicUrl' | 'securityContact' | 'measuresVisitors'>;
};

export const operationsRoutes: FastifyPluginAsyncTypebox<OperationsParts> = async (
  app,
  { isStopping, readiness, metrics, settings: { publicUrl, securityContact, measuresVisitors } },
) => {
  app.get(
    paths.health,
    {
      config: { access: 'public' },
      schema: {
        ...described('operations', 'isAlive', 'Reports that the process responds'),
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
        ...described('operations', 'isReady', 'Reports that the database serves too'),
        description:
          'A load balancer sends no requests to a store that is not ready: one without its database, or one that is about to stop.',
        response: { 200: Type.Object({ status: Type.Literal('ready') }), ...problemResponses(503) },
      },
    },
    async (request, reply) => {
      // This response is no fault, so it is not logged as one.
      if (isStopping()) return sendProblem(request, reply, new Problem('UNAVAILABLE'));
      await readiness.check();
      return { status: 'ready' as const };
    },
  );

  app.get(
    paths.metrics,
    {
      config: { access: 'operator' },
      schema: {
        ...described('operations', 'readMetrics', 'Measurements in the text format of Prometheus'),
        description: 'Requests, durations, orders, statements, caches and mail.',
        response: { 200: textResponse('text/plain'), ...problemResponses(401, 403) },
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );

  if (measuresVisitors)
    app.post(
      paths.vitals,
      {
        bodyLimit: 2_048,
        config: { access: 'public', limit: 'vitals' },
        schema: {
          ...described('operations', 'recordVitals', 'Records how fast a page was for its visitor'),
          description: 'The figures are in /metrics alone. With VISITOR_METRICS=off there is no such call.',
          body: Vitals,
          response: {
            204: { description: 'They are counted.' },
            ...problemResponses(400, 403, 413, 415, 429),
          },
        },
      },
      async ({ body }, reply) => {
        metrics.recordVitals(body);
        return reply.code(204).send();
      },
    );

  app.get(
    paths.securityContact,
    {
      config: { access: 'public' },
      schema: {
        ...described('operations', 'findSecurityContact', 'Where to report a weakness (RFC 9116)'),
        description: 'Only with SECURITY_CONTACT.',
        response: { 200: textResponse('text/plain'), ...problemResponses('NOT_FOUND') },
      },
    },
    async (_request, reply) => {
      if (securityContact === undefined) return reply.callNotFound();
      reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache');
      return reply.send(`Contact: ${securityContact}
Expires: ${new Date(Date.now() + validForMs).toISOString()}
Canonical: ${new URL(paths.securityContact, publicUrl).href}
Preferred-Languages: en
`);
    },
  );
};

/** RFC 9116, section 2.5.5 advises less than a year. Each response has a new date, so the date is never past. */
const validForMs = 180 * 24 * 60 * 60 * 1000;
