/** Parts of a route's `schema` that many routes share. */

import { Type } from 'typebox';
import { ProblemBody } from '../../contract/problem.ts';
import { STATUS_CODES } from './node-http.ts';
import { type ProblemCode, problems } from './problems.ts';

/** The first members of a route's `schema`. @param tag one of those in api-description/openapi.ts. */
export const described = (tag: string, operationId: string, summary: string) => ({
  operationId,
  tags: [tag],
  summary,
});

/** A response that is a text of this media type. */
export const textResponse = (type: string) => ({ content: { [type]: { schema: Type.String() } } });
/** A response of bytes. */
export const bytesResponse = (type: string) => ({ content: { [type]: { schema: Type.Any() } } });

/** For a route's `schema.response`. @param problems statuses, or codes that the route's access and parts do not imply. */
export const responsesOf = (problems: readonly (number | ProblemCode)[], content: object) =>
  Object.fromEntries(
    [...Map.groupBy(problems, statusOf)].map(([status, named]) => [
      status,
      {
        description: STATUS_CODES[status] ?? 'A problem',
        'x-codes': named.filter((one) => typeof one === 'string'),
        content,
      },
    ]),
  );

export const problemResponses = (...problems: (number | ProblemCode)[]) =>
  responsesOf(problems, { 'application/problem+json': { schema: ProblemBody } });

const statusOf = (one: number | ProblemCode): number =>
  typeof one === 'number' ? one : problems[one].status;
