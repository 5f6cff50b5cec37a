import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyHttpOptions } from 'fastify';

/**
 * `headersMs`, `requestMs`: how long the headers and the whole of a request may take to arrive: enough for an upload over a slow line.
 * `idleMs`: how long a connection may stay open without a request: longer than proxies keep theirs. `silenceMs`: how long nothing may travel
 * on a connection whose response waits for its client, or its request for the store. `checkMs`: how often the first two are checked.
 */
export type ConnectionTimeouts = typeof connectionTimeouts;

export const connectionTimeouts = {
  headersMs: 60_000,
  requestMs: 120_000,
  idleMs: 72_000,
  silenceMs: 70_000,
  checkMs: 5_000,
};

const maxHeaderBytes = 16 * 1024;

export const timeoutOptions = ({ headersMs, requestMs, idleMs, silenceMs, checkMs }: ConnectionTimeouts) =>
  ({
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionTimeout: silenceMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs, maxHeaderSize: maxHeaderBytes },
  }) satisfies FastifyHttpOptions<Server>;

const logIntervalMs = 60_000;

export function limitConnections(
  server: Server,
  log: FastifyBaseLogger,
  { maxConnections, onRefused }: { maxConnections: number; onRefused(): void },
): void {
  server.maxConnections = maxConnections;
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    onRefused();
    if (performance.now() - loggedAt < logIntervalMs) return;
    loggedAt = performance.now();
    log.warn({ maxConnections }, 'connections are refused: there are as many as MAX_CONNECTIONS allows');
  });
}

/** Far more than any client sends ahead; browsers send nothing ahead. */
const maxPipelined = 32;

/**
 * Closes a connection whose client sends many requests ahead of their responses (pipelining, RFC 9112, section 9.3.2). Node
 * reads 64 KB at once, and hands out all of the thousand requests in them before it waits for the client: a few such
 * connections took more memory than the store has.
 * @returns a function that counts a request, and is true for one whose connection is closed.
 */
export function openPipelineLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const queuedBySocket = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    // The response has no socket while it waits for an earlier one: a client that does not pipeline costs no more than this.
    if (response.socket !== null) return false;
    const queued = (queuedBySocket.get(socket) ?? 0) + 1;
    queuedBySocket.set(socket, queued);
    if (queued >= maxPipelined) socket.destroy();
    // Node goes on handing out what it has read.
    if (socket.destroyed) return true;
    response.once('close', () => queuedBySocket.set(socket, (queuedBySocket.get(socket) ?? 1) - 1));
    return false;
  };
}
