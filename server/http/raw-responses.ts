/** Responses to what never becomes a request of the framework: bytes that are not HTTP, and clients that are too slow. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyBaseLogger } from 'fastify';
import { problemJson } from './error-handler.ts';
import { STATUS_CODES } from './node-http.ts';
import { Problem, type ProblemCode, problemBody } from './problems.ts';
import { linger } from './refused-bodies.ts';
import { nextRequestId, requestIdHeader } from './request-ids.ts';

/** By the code of the error of Node's parser, or of its timeout. */
const problemOfError: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
};

/** By the code of the parser's error, what to do: curl, for one, sends `/books?q=тихая` as it is typed. */
const detailOfError: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'Characters of the address outside ASCII, and spaces, must be percent-encoded.',
};

/** Properties that Node attaches to a connection and does not declare; Fastify and Node itself decide by them too. */
export type HttpSocket = Socket & {
  /** The response that is under way. */
  _httpMessage?: ServerResponse | null;
  /** `incoming`: the request that was last read. */
  parser?: { incoming?: { complete: boolean } | null } | null;
};

/**
 * Sends a problem with the security headers for what Node's parser or its timeouts refuse, and closes the connection. A
 * client gets no response that it would take for the response to another request.
 * @param headers the security headers.
 * @param onProblem called for each problem that is sent.
 * @returns a handler for `clientError` (https://nodejs.org/api/http.html#event-clienterror), with Fastify's instance as `this`.
 */
export const clientErrorHandler = (
  headers: Readonly<Record<string, string>>,
  onProblem?: (problem: Problem) => void,
) =>
  function respond(this: { log: FastifyBaseLogger }, error: ConnectionError, socket: HttpSocket): void {
    const requestId = nextRequestId();
    this.log.debug({ code: error.code, requestId }, 'a request could not be read');
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const response = socket._httpMessage;
    const isItsRequestBroken = response ? !response.req.complete && !response.headersSent : isBetween(socket);
    if (response && !isItsRequestBroken) {
      // It belongs to an earlier request, which was well-formed. What follows is not read.
      socket.pause();
      response.once('close', () => linger(socket));
      return;
    }
    if (isItsRequestBroken) {
      const isHead = response ? response.req.method === 'HEAD' : isHeadRequest(error.rawPacket);
      const detail = detailOfError[error.code];
      const problem = new Problem(
        problemOfError[error.code] ?? 'MALFORMED_REQUEST',
        detail === undefined ? {} : { detail },
      );
      onProblem?.(problem);
      socket.write(rawResponse(problem, headers, { isHead, requestId }));
    }
    linger(socket);
  };

/**
 * Sends a problem to a request whose response has not begun, and ends its connection. What the store sends to the request
 * afterwards is dropped.
 * @param headers the security headers.
 * @param lingerMs how long the client may take to close its side.
 * @returns the request's id; undefined where no request waits for a response.
 */
export function endWithProblem(
  socket: HttpSocket,
  problem: Problem,
  { headers, lingerMs }: { headers: Readonly<Record<string, string>>; lingerMs: number },
): string | undefined {
  const response = socket._httpMessage;
  if (!response || response.headersSent || !socket.writable) return undefined;
  const requestId = response.req.requestId ?? nextRequestId();
  socket.write(rawResponse(problem, headers, { isHead: response.req.method === 'HEAD', requestId }));
  linger(socket, lingerMs);
  return requestId;
}

/** @returns true if the connection is between two requests, so that an error belongs to the next one. */
const isBetween = ({ parser }: HttpSocket): boolean => parser?.incoming?.complete !== false;

/** The bytes are those that were read last: of a request in several pieces, the method may be in an earlier one. */
const isHeadRequest = (bytes: unknown): boolean =>
  Buffer.isBuffer(bytes) && bytes.subarray(0, 5).toString('latin1') === 'HEAD ';

function rawResponse(
  problem: Problem,
  securityHeaders: Readonly<Record<string, string>>,
  { isHead, requestId }: { isHead: boolean; requestId: string },
): string {
  const body = JSON.stringify(problemBody(problem, requestId));
  const headers = {
    ...securityHeaders,
    'cache-control': 'no-store',
    [requestIdHeader]: requestId,
    ...(problem.retryAfterS === undefined ? {} : { 'retry-after': problem.retryAfterS }),
    'content-type': problemJson,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n`;
  return `${statusLine}${lines.join('')}\r\n${isHead ? '' : body}`;
}
