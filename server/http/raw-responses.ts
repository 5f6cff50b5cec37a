/** Responses to what never becomes a request of the framework: bytes that are not HTTP, and clients that are too slow. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyBaseLogger } from 'fastify';
import { problemJson } from './error-handler.ts';
import { STATUS_CODES } from './node-http.ts';
import { Problem, type ProblemCode, problemBody } from './problems.ts';
import { nextRequestId, requestIdHeader } from './request-ids.ts';

const problemOfError: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
};

/** By the code of the parser's error, what to do: curl, for one, sends `/books?q=тихая` as it is typed. */
const detailOfError: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'Characters of the address outside ASCII, and spaces, must be percent-encoded.',
};

/** How long the connection stays open: closed at once, a client could lose what was sent (RFC 9112, section 9.6). */
const lingerMs = 1_000;

const lastResponses = new WeakMap<Socket, ServerResponse>();

/** Call it for each request that the cache does not answer: what follows on its connection must not be taken for its response. */
export const noteResponse = (response: ServerResponse): void =>
  void lastResponses.set(response.req.socket, response);

/** A client would take what is sent now for the response to a request that is under way, or was answered before its end. */
function hasOtherResponse(socket: Socket): boolean {
  const last = lastResponses.get(socket);
  if (!last) return false;
  return last.req.complete ? !last.writableFinished : last.headersSent;
}

/**
 * Sends a problem with the security headers for what Node's parser or its timeouts refuse, and closes the connection.
 * @param onProblem called for each problem that is sent.
 * @returns a handler for `clientError` (https://nodejs.org/api/http.html#event-clienterror), with Fastify's instance as `this`.
 */
export const clientErrorHandler = (
  securityHeaders: Readonly<Record<string, string>>,
  onProblem?: (problem: Problem) => void,
) =>
  function respond(this: { log: FastifyBaseLogger }, error: ConnectionError, socket: Socket): void {
    const requestId = nextRequestId();
    this.log.debug({ code: error.code, requestId }, 'a request could not be read');
    if (error.code === 'ECONNRESET' || hasOtherResponse(socket)) socket.destroy();
    if (!socket.writable) return;
    const detail = detailOfError[error.code];
    const code = problemOfError[error.code] ?? 'MALFORMED_REQUEST';
    const problem = new Problem(code, detail === undefined ? {} : { detail });
    onProblem?.(problem);
    const body = JSON.stringify(problemBody(problem, requestId));
    const headers = {
      ...securityHeaders,
      'cache-control': 'no-store',
      [requestIdHeader]: requestId,
      'content-type': problemJson,
      'content-length': Buffer.byteLength(body),
      date: new Date().toUTCString(),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
