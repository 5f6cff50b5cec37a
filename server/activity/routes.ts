import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ActivityEntry, ActivityQuery } from '../../contract/desk/activity.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import type { Db } from '../database/tables.ts';
import { timesOf } from '../http/day-range.ts';
import { problemResponses } from '../http/error-handler.ts';
import { listActivity } from './activity.ts';

/** `GET /desk/api/activity`: the audit trail. */
export const activityRoutes: FastifyPluginAsyncTypebox<{ db: Db; zone: string }> = async (
  app,
  { db, zone },
) => {
  app.get(
    deskPaths.activity,
    {
      config: { access: 'desk', limit: 'desk' },
      schema: {
        operationId: 'listActivity',
        tags: ['desk'],
        summary: 'Lists what admins and scripts did, newest first',
        description: 'The audit trail. When more entries may follow, `Link` names the next page.',
        querystring: ActivityQuery,
        response: { 200: Type.Array(ActivityEntry), ...problemResponses(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { limit = maxPageSize, from, to, ...query } = request.query;
      const { entries, nextCursor } = await listActivity(db, {
        ...query,
        ...timesOf({ from, to }, zone),
        limit,
      });
      if (nextCursor)
        reply.header('link', nextPageLink(deskPaths.activity, request.query, String(nextCursor)));
      return entries;
    },
  );
};
