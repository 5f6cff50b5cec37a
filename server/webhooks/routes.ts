import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deskPaths } from '../../contract/desk/paths.ts';
import {
  DeskWebhook,
  DeskWebhookParams,
  DeskWebhooks,
  DeskWebhooksQuery,
} from '../../contract/desk/webhooks.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { findEvent, listEvents, presentEvent, retryEvent } from './events.ts';
import type { Webhooks } from './sender.ts';

/** `deskDb` is for lists, which may take long. */
type WebhookParts = { db: Db; deskDb: Db; webhooks: Webhooks };

/** The desk's list of events, and another attempt to send one. */
export const webhookRoutes: FastifyPluginAsyncTypebox<WebhookParts> = async (
  app,
  { db, deskDb, webhooks },
) => {
  app.get(
    deskPaths.webhooks,
    {
      config: { access: 'desk', limit: 'desk' },
      schema: {
        operationId: 'listWebhooks',
        tags: ['desk'],
        summary: 'Lists the events that another program is told, newest first',
        description: 'They stay for 30 days. When more follow, `Link` names the next page.',
        querystring: DeskWebhooksQuery,
        response: { 200: DeskWebhooks, ...problemResponses(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { state = 'all', limit = maxPageSize, cursor } = request.query;
      const { events, nextCursor } = await listEvents(deskDb, { state, cursor, limit });
      if (nextCursor) reply.header('link', nextPageLink(deskPaths.webhooks, request.query, nextCursor));
      return { mode: webhooks.isOn ? ('sent' as const) : ('off' as const), events: events.map(presentEvent) };
    },
  );

  app.post(
    deskPaths.webhookRetry.pattern,
    {
      config: { access: 'desk', limit: 'desk', hasNoBody: true },
      schema: {
        operationId: 'retryWebhook',
        tags: ['desk'],
        summary: 'Sends an event now that was given up',
        description: 'One that waits or was delivered stays as it is.',
        params: DeskWebhookParams,
        response: { 200: DeskWebhook, ...problemResponses(400, 401, 403, 'NOT_FOUND', 429) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (webhooks.isOn && (await retryEvent(db, id))) webhooks.wake();
      const event = await findEvent(db, id);
      if (!event) throw new Problem('NOT_FOUND');
      return presentEvent(event);
    },
  );
};
