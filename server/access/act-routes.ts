/** The acts of the owner as calls of the desk's API. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nextPageLink } from '../../contract/next-page.ts';
import type { SendExport } from '../exports/send-export.ts';
import { acceptNoBody, oneAtATime } from '../http/bodies.ts';
import type { ProblemCode } from '../http/problems.ts';
import { problemResponses } from '../http/route-schemas.ts';
import { type Act, Answer, type Shop } from './act.ts';
import { actorOf } from './guards.ts';

export function mountActs(
  app: FastifyInstance,
  acts: readonly Act[],
  { shop, sendExport }: { shop: Shop; sendExport: SendExport },
): void {
  for (const act of acts) {
    const { method, path, operationId, summary, description, scope, bodyLimit } = act;
    const isChange = method !== 'GET' && scope === 'catalogue';
    const { limit = isChange ? 'catalogue-changes' : 'desk' } = act;
    const { params, query: querystring, body } = act.input ?? {};
    app.route({
      method,
      url: typeof path === 'string' ? path : path.pattern,
      config: { access: 'desk', ...(scope && { scope }), limit },
      ...(bodyLimit && { bodyLimit }),
      ...(act.isOneAtATime && { onRequest: oneAtATime() }),
      ...(act.isBodyOptional && { preValidation: acceptNoBody }),
      schema: {
        ...{ operationId, tags: ['desk'], summary, ...(description && { description }) },
        ...{ ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }) },
        response: { 200: 'files' in act ? contentOf(act.files) : act.output, ...problemsOf(act) },
      },
      async handler(request, reply) {
        const work = { ...shop, actor: actorOf(request) };
        const { params, query, body } = request;
        const asked = { params: Object(params), query: Object(query), body: Object(body) };
        if ('files' in act) return await sendExport(request, reply, await act.run(work, asked));
        const answer = await act.run(work, asked);
        return answer instanceof Answer ? describe(answer, act, request, reply) : answer;
      },
    });
  }
}

const contentOf = (files: Readonly<Record<string, object>>) => ({
  content: Object.fromEntries(Object.entries(files).map(([type, schema]) => [type, { schema }])),
});

function problemsOf({ method, input = {}, problems = [] }: Act) {
  const all: (number | ProblemCode)[] = [401, 403, ...problems, 429];
  if (input.params || input.query || input.body) all.unshift(400);
  if (method !== 'GET' && input.body) all.push(415);
  return problemResponses(...all);
}

function describe<Body>(
  { body, headers, nextCursor, nextQuery }: Answer<Body>,
  { path }: Act,
  { params, query }: FastifyRequest,
  reply: FastifyReply,
): Body {
  reply.headers(headers);
  if (nextCursor !== undefined) {
    const address = typeof path === 'string' ? path : path(Object(params).id);
    reply.header('link', nextPageLink(address, { ...Object(query), ...nextQuery }, nextCursor));
  }
  return body;
}
