/** Turns every error, the store's own and the framework's, into an `application/problem+json` response (RFC 9457). */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { seenPattern } from '../../contract/pasted-text.ts';
import { type FieldError, ProblemBody } from '../../contract/problem.ts';
import { BusyError, isUnavailable } from '../database/unavailable.ts';
import { STATUS_CODES } from './node-http.ts';
import { sendProblemPage, wantsPage } from './problem-page.ts';
import { Problem, type ProblemCode, problemBody, problems } from './problems.ts';
import { requestIdHeader } from './request-ids.ts';

declare module 'fastify' {
  interface FastifyRequest {
    problemCode?: ProblemCode;
    problemReason?: string;
  }
  interface FastifyContextConfig {
    /** Builds the error body of a route that is compatible with another API. */
    presentProblem?: (problem: Problem, requestId: string) => Record<string, unknown>;
    /** For a route that browsers open as a page: sends the page of a request that a limit refuses. */
    sendLimitPage?: (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;
  }
}

export const problemJson = 'application/problem+json; charset=utf-8';

/**
 * @param problems that the route may send: a status, or a code where the status has several and the route's access and
 * parts do not imply it (described-problems.ts).
 * @param content of the body, by content type.
 * @returns for a route's `schema.response`: a body under each status.
 */
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

/**
 * Makes the app respond to every error with a problem, and log those that are the store's fault.
 * @param onRefused called for each request that is refused with 503, which is not logged here.
 */
export function handleErrors(app: FastifyInstance, onRefused: (problem: Problem) => void): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    // Node's error for a client that goes away has the code of a lost connection to the database.
    const hasGone = error === request.raw.errored;
    const problem = hasGone ? new Problem('MALFORMED_BODY', { cause: error }) : asProblem(error);
    if (problem.status === 503) onRefused(problem);
    else if (problem.status >= 500) request.log.error({ err: error }, 'a request failed');
    return sendProblem(request, reply, problem);
  });
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { presentProblem, sendLimitPage } = request.routeOptions.config;
  request.problemCode = problem.code;
  if (problem.status === 503 && problem.cause instanceof Error) request.problemReason = problem.cause.message;
  // No hook ran before an error of the framework.
  reply.code(problem.status).headers({ 'cache-control': 'no-store', [requestIdHeader]: request.id });
  // Otherwise a browser would save it under the name of the file that there is not.
  reply.removeHeader('content-disposition');
  if (problem.retryAfterS !== undefined) reply.header('retry-after', String(problem.retryAfterS));
  // RFC 6750, section 3.
  if (problem.code === 'TOKEN_REQUIRED') reply.header('www-authenticate', 'Bearer');
  // RFC 6750, section 3.1.
  if (problem.code === 'TOKEN_INVALID') reply.header('www-authenticate', 'Bearer error="invalid_token"');
  if (wantsPage(request)) {
    if (problem.code === 'MISDIRECTED_REQUEST') return sendProblemPage(reply, problem);
    if (problem.code === 'TOO_MANY_REQUESTS' && sendLimitPage) return sendLimitPage(request, reply, problem);
  }
  // As text: the route's response schema would remove fields that it does not declare.
  return presentProblem
    ? reply.type('application/json; charset=utf-8').send(JSON.stringify(presentProblem(problem, request.id)))
    : reply.type(problemJson).send(JSON.stringify(problemBody(problem, request.id)));
}

const problemOfErrorCode: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  // PostgreSQL: text that it cannot store, such as a NUL.
  '22021': 'MALFORMED_REQUEST',
};

const problemOfStatus: Readonly<Record<number, ProblemCode>> = {
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/**
 * @returns the problem for an error of the store, the framework or the database. Other client errors become status 400, the
 * rest 500. The original message stays in `cause`: it is never sent.
 */
export function asProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  const { code = '', statusCode = 500, validation }: Partial<FastifyError> = error;
  if (validation) {
    return new Problem('VALIDATION_FAILED', { errors: fieldErrors(validation), cause: error });
  }
  if (error instanceof BusyError) return new Problem('BUSY', { cause: error });
  if (isUnavailable(error)) return new Problem('UNAVAILABLE', { cause: error });
  const otherwise = statusCode >= 400 && statusCode < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL';
  return new Problem(problemOfErrorCode[code] ?? problemOfStatus[statusCode] ?? otherwise, { cause: error });
}

/** One error per field. A format's message comes first: a type error may belong to another alternative of a union. */
function fieldErrors(faults: readonly FastifySchemaValidationError[]): FieldError[] {
  const isFormat = ({ keyword }: FastifySchemaValidationError) => keyword === 'format';
  const sorted = [...faults.filter(isFormat), ...faults.filter((fault) => !isFormat(fault))];
  const errors = sorted.map(fieldError);
  return errors.filter(({ field }, index) => errors.findIndex((error) => error.field === field) === index);
}

function fieldError({ instancePath, keyword, params, message }: FastifySchemaValidationError): FieldError {
  const path = instancePath.split('/').slice(1);
  if (keyword === 'required') path.push(String(params['missingProperty']));
  return { field: path.join('.'), message: messageFor(keyword, params, message) };
}

function messageFor(keyword: string, params: Record<string, unknown>, message: string | undefined): string {
  const isBlank = keyword === 'minLength' || (keyword === 'pattern' && params['pattern'] === seenPattern);
  if (keyword === 'required' || isBlank) return 'Must not be empty.';
  if (keyword === 'pattern') return 'Has characters that cannot be used here.';
  // bodies.ts has written it.
  if (keyword === 'format' && message) return message;
  if (keyword === 'maxLength') return `Must not be longer than ${params['limit']} characters.`;
  return !message ? 'Cannot be used.' : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
