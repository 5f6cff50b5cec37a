/** Renders every error, the store's own and the framework's, as one `application/problem+json` (RFC 9457). */

import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { formats } from '../../contract/formats.ts';
import { type FieldError, ProblemBody } from '../../contract/problem.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { Problem, type ProblemCode, problemBody } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that speaks a foreign API's shape of error says how a problem looks in it. */
    presentProblem?: (problem: Problem) => Record<string, unknown>;
  }
}

const problemJson = 'application/problem+json; charset=utf-8';

/** How a route declares the problems that it answers with. */
export const problemResponses = <Status extends number>(...statuses: Status[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: STATUS_CODES[status] ?? 'A problem',
        content: { 'application/problem+json': { schema: ProblemBody } },
      },
    ]),
  );

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    const problem = asProblem(error);
    // While the database is lost every request says so: a line is enough for each.
    if (problem.code === 'UNAVAILABLE')
      request.log.warn({ reason: error.message }, 'a request could not be served');
    else if (problem.status >= 500) request.log.error({ err: error }, 'a request failed');
    return sendProblem(request, reply, problem);
  });
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { presentProblem } = request.routeOptions.config;
  reply.code(problem.status).header('cache-control', 'no-store');
  if (problem.code === 'UNAVAILABLE') reply.header('retry-after', '2');
  // As text: a declared response schema would drop what a foreign shape has besides.
  return presentProblem
    ? reply.type('application/json; charset=utf-8').send(JSON.stringify(presentProblem(problem)))
    : reply.type(problemJson).send(JSON.stringify(problemBody(problem)));
}

const codeOfKnownError: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_PARTS_LIMIT: 'BODY_TOO_LARGE',
  FST_FILES_LIMIT: 'BODY_TOO_LARGE',
  FST_FIELDS_LIMIT: 'BODY_TOO_LARGE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  // PostgreSQL: text that it has no place for, such as a NUL.
  '22021': 'MALFORMED_REQUEST',
};

/** What the framework reports as the client's fault keeps its status; its words stay inside. */
function asProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error;
  if (error.validation) {
    return new Problem('VALIDATION_FAILED', { errors: fieldErrors(error.validation), cause: error });
  }
  if (isUnavailable(error)) return new Problem('UNAVAILABLE', { cause: error });
  const known = codeOfKnownError[error.code];
  if (known) return new Problem(known, { cause: error });
  const isClientFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return new Problem(isClientFault ? 'MALFORMED_REQUEST' : 'INTERNAL', { cause: error });
}

/** One a field. What a format says is to the point; a type may be that of an alternative that was not meant. */
function fieldErrors(faults: readonly FastifySchemaValidationError[]): FieldError[] {
  const isOfFormat = ({ keyword }: FastifySchemaValidationError) => keyword === 'format';
  const pointed = [...faults.filter(isOfFormat), ...faults.filter((fault) => !isOfFormat(fault))];
  const errors = pointed.map(fieldError);
  return errors.filter(({ field }, index) => errors.findIndex((other) => other.field === field) === index);
}

function fieldError({ instancePath, keyword, params, message }: FastifySchemaValidationError): FieldError {
  const path = instancePath.split('/').slice(1);
  if (keyword === 'required') path.push(String(params['missingProperty']));
  return { field: path.join('.'), message: readable(keyword, params, message) };
}

/** The schema's verdict in the words of whoever filled in the form. */
function readable(keyword: string, params: Record<string, unknown>, message: string | undefined): string {
  if (keyword === 'required' || keyword === 'minLength' || keyword === 'pattern') return 'Must not be empty.';
  if (keyword === 'format') return messageOfFormat(String(params['format']));
  if (keyword === 'maxLength') return `Must not be longer than ${params['limit']} characters.`;
  return message === undefined ? 'Cannot be used.' : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

const messageOfFormat = (name: string): string =>
  name in formats ? formats[name as keyof typeof formats].message : 'Cannot be used.';
