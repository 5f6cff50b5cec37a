/** Responses to what never becomes a request of the framework: bytes that are not HTTP, and clients that are too slow. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyBaseLogger } from 'fastify';
import { problemJson } from './error-handler.ts';
import { STATUS_CODES } from './node-http.ts';
import { Problem, type ProblemCode, problemBody } from './problems.ts';
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

const lingerMs = 1_000;

const lastResponses = new WeakMap<Socket, ServerResponse>();

/** Call it for each request that the cache does not answer: what follows on its connection must not be taken for its response. */
export const noteResponse = (response: ServerResponse): void =>
  void lastResponses.set(response.req.socket, response);

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
  function respond(this: { log: FastifyBaseLogger }, error: ConnectionError, socket: Socket): void {
    const requestId = nextRequestId();
    this.log.debug({ code: error.code, requestId }, 'a request could not be read');
    if (error.code === 'ECONNRESET') socket.destroy();
    if (!socket.writable) return;
    const last = lastResponses.get(socket);
    const { complete = true, method } = last?.req ?? {};
    if (last && complete && !last.writableFinished) {
      // The error belongs to what follows a well-formed request.
      last.once('close', () => endSoon(socket));
      return;
    }
    if (last && !complete && last.headersSent) {
      endSoon(socket);
      return;
    }
    const isHead = complete ? isHeadRequest(error.rawPacket) : method === 'HEAD';
    const detail = detailOfError[error.code];
    const code = problemOfError[error.code] ?? 'MALFORMED_REQUEST';
    const problem = new Problem(code, detail === undefined ? {} : { detail });
    onProblem?.(problem);
    endSoon(socket, rawResponse(problem, headers, { isHead, requestId }));
  };

/** Sends the end of a connection, and closes it a little later: at once, a client could lose what was sent (RFC 9112, section 9.6). */
function endSoon(socket: Socket, last = ''): void {
  socket.end(last);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

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
    'content-type': problemJson,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n`;
  return `${statusLine}${lines.join('')}\r\n${isHead ? '' : body}`;
}
