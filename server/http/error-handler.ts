/** Turns every error, the store's own and the framework's, into an `application/problem+json` response (RFC 9457). */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BusyError, isUnavailable } from '../database/unavailable.ts';
import { escapeHtml } from './escape-html.ts';
import { Problem, type ProblemCode, problemBody, problemJson } from './problems.ts';
import { requestIdHeader } from './request-ids.ts';

declare module 'fastify' {
  interface FastifyRequest {
    problem?: Problem;
  }
  interface FastifyContextConfig {
    presentProblem?: (problem: Problem, requestId: string) => Record<string, unknown>;
  }
}

export function handleErrors(app: FastifyInstance, onRefused: (problem: Problem) => void): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    // Node's error for a client that goes away has the same code as a lost connection to the database.
    const hasGone = error === request.raw.errored;
    const problem = hasGone ? new Problem('MALFORMED_BODY', { cause: error }) : asProblem(error);
    if (problem.status === 503) onRefused(problem);
    else if (problem.status >= 500) request.log.error({ err: error }, 'a request failed');
    return sendProblem(request, reply, problem);
  });
}

export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true;

/** Problems that a visitor may see at any address: a browser gets a page, because JSON would be no help. */
const ofVisitors: readonly ProblemCode[] = ['MISDIRECTED_REQUEST', 'TOO_MANY_REQUESTS'];

const pageOf = ({ message, detail }: Problem): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(message)}</title>
<h1>${escapeHtml(message)}</h1>
${detail === undefined ? '' : `<p>${escapeHtml(detail)}</p>\n`}</html>
`;

/** Values of WWW-Authenticate (RFC 6750, section 3). */
const challenges: Partial<Record<ProblemCode, string>> = {
  TOKEN_REQUIRED: 'Bearer',
  TOKEN_INVALID: 'Bearer error="invalid_token"',
};

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { presentProblem } = request.routeOptions.config;
  const { code, status, retryAfterS } = problem;
  request.problem = problem;
  // An error of the framework comes before any hook, so the headers are set here.
  reply.code(status).headers({ 'cache-control': 'no-store', [requestIdHeader]: request.id });
  // With this header, a browser would save the error as the requested file.
  reply.removeHeader('content-disposition');
  if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS));
  if (challenges[code]) reply.header('www-authenticate', challenges[code]);
  // The client may or may not still send the body that it has announced.
  if (request.headers.expect !== undefined) reply.header('connection', 'close');
  if (ofVisitors.includes(code) && wantsPage(request))
    return reply.type('text/html; charset=utf-8').send(pageOf(problem));
  // The problem is sent as text: the route's response schema would remove fields that it does not declare.
  const body = (presentProblem ?? problemBody)(problem, request.id);
  const type = presentProblem ? 'application/json; charset=utf-8' : problemJson;
  return reply.type(type).send(JSON.stringify(body));
}

const problemOfErrorCode: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  // PostgreSQL reports text that it cannot store, such as a NUL.
  '22021': 'MALFORMED_REQUEST',
};

const problemOfStatus: Readonly<Record<number, ProblemCode>> = {
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

export function asProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof BusyError) return new Problem('BUSY', { cause: error });
  if (isUnavailable(error)) return new Problem('UNAVAILABLE', { cause: error });
  const { code = '', statusCode = 500 }: Partial<FastifyError> = error;
  const otherwise = statusCode >= 400 && statusCode < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL';
  return new Problem(problemOfErrorCode[code] ?? problemOfStatus[statusCode] ?? otherwise, { cause: error });
}
