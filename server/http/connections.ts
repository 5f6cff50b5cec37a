import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionError, FastifyBaseLogger, FastifyInstance } from 'fastify';
import { STATUS_CODES } from './node-http.ts';
import { Problem, type ProblemCode, problemBody, problemJson } from './problems.ts';
import { nextRequestId, requestIdHeader } from './request-ids.ts';

declare module 'node:net' {
  interface Socket {
    lastResponse?: ServerResponse;
    queuedResponses?: number;
  }
}

export const connectionTimeouts = {
  headersMs: 60_000,
  requestMs: 120_000,
  /** The pause between two requests of a connection: longer than proxies keep theirs. */
  idleMs: 72_000,
  /** The longest wait for the client to read a response, or to send the rest of a request. */
  silenceMs: 70_000,
  /** The interval at which the timeouts of requests are checked. */
  checkMs: 5_000,
};

export type ConnectionTimeouts = typeof connectionTimeouts;

const tooMany = new Problem('BUSY', { detail: 'there are as many connections as MAX_CONNECTIONS allows' });

export function limitConnections(server: Server, most: number, onRefused: (problem: Problem) => void): void {
  server.maxConnections = most;
  server.on('drop', () => onRefused(tooMany));
}

const maxPipelined = 32;

/** Pipelining (RFC 9112, section 9.3.2): Node hands out all thousand requests in 64 KB at once. @returns false if the connection was closed. */
export function beginResponse({ socket }: IncomingMessage, response: ServerResponse): boolean {
  socket.lastResponse = response;
  // A response has no socket while it waits for an earlier one.
  if (response.socket !== null) return true;
  socket.queuedResponses = (socket.queuedResponses ?? 0) + 1;
  if (socket.queuedResponses >= maxPipelined) socket.destroy();
  response.once('close', () => {
    socket.queuedResponses = (socket.queuedResponses ?? 1) - 1;
  });
  // Node hands out requests that it has read even if their connection is destroyed.
  return !socket.destroyed;
}

const problemOfError: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
};

/** The message helps users of curl, which sends `/books?q=тихая` as it is typed. */
const invalidAddress = 'Characters of the address outside ASCII, and spaces, must be percent-encoded.';

/** The connection stays open for a moment: if it closed at once, the client could lose what was sent (RFC 9112, section 9.6). */
const lingerMs = 1_000;

/** @returns true if a client would take an error sent now for the response to another request, under way or already answered. */
function hasOtherResponse({ lastResponse: last }: Socket): boolean {
  if (!last) return false;
  return last.req.complete ? !last.writableFinished : last.headersSent;
}

export function bareResponse(problem: Problem, requestId: string, headers: Readonly<Record<string, string>>) {
  const { retryAfterS } = problem;
  const body = JSON.stringify(problemBody(problem, requestId));
  const own = {
    ...headers,
    'cache-control': 'no-store',
    [requestIdHeader]: requestId,
    'content-type': problemJson,
    'content-length': Buffer.byteLength(body),
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
  };
  return { headers: own, body };
}

export const clientErrorHandler = (
  securityHeaders: Readonly<Record<string, string>>,
  onProblem?: (problem: Problem) => void,
) =>
  function respond(this: { log: FastifyBaseLogger }, { code }: ConnectionError, socket: Socket): void {
    const requestId = nextRequestId();
    this.log.debug({ code, requestId }, 'a request could not be read');
    if (code === 'ECONNRESET' || hasOtherResponse(socket)) socket.destroy();
    if (!socket.writable) return;
    const detail = code === 'HPE_INVALID_URL' ? { detail: invalidAddress } : {};
    const problem = new Problem(problemOfError[code] ?? 'MALFORMED_REQUEST', detail);
    onProblem?.(problem);
    const { headers, body } = bareResponse(problem, requestId, securityHeaders);
    const all = { ...headers, date: new Date().toUTCString(), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };

const finishTimeoutMs = 8_000;

/** Stops the server after `delayMs`. Until then it serves: a proxy notices `isStopping` at its health check; each response closes its connection. */
export function stopGracefully(app: FastifyInstance, delayMs: number): { isStopping(): boolean } {
  let isStopping = false;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    if (delayMs > 0) app.log.info({ delayMs }, 'the store is stopping and still serves');
    await pause(delayMs);
    const giveUp = () => {
      app.log.warn('the stop gives up on requests that have not finished');
      app.server.closeAllConnections();
    };
    const timer = setTimeout(giveUp, finishTimeoutMs);
    app.server.once('close', () => clearTimeout(timer));
  });
  return { isStopping: () => isStopping };
}
