/** Limits of connections: how many there may be, how large a request's headers, and how long a client may take. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyHttpOptions } from 'fastify';

export type ConnectionTimeouts = {
  /** How long the headers of a request may take to arrive. */
  headersMs: number;
  /** How long a whole request may take to arrive: enough for an upload over a slow line. */
  requestMs: number;
  /** How long a connection may stay open without a request: longer than proxies keep theirs. */
  idleMs: number;
  /** How long a client may leave a response unread. */
  unreadMs: number;
  /** How often the connections are checked for the first two and for the last. */
  checkMs: number;
};

export const connectionTimeouts: ConnectionTimeouts = {
  headersMs: 60_000,
  requestMs: 120_000,
  idleMs: 72_000,
  unreadMs: 30_000,
  checkMs: 5_000,
};

const maxHeaderBytes = 16 * 1024;

/** @returns the options of the framework for these timeouts and for the size of headers. */
export const timeoutOptions = ({ headersMs, requestMs, idleMs, checkMs }: ConnectionTimeouts) =>
  ({
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs, maxHeaderSize: maxHeaderBytes },
  }) satisfies FastifyHttpOptions<Server>;

/** A server at its limit of connections logs it at most this often. */
const logIntervalMs = 60_000;

type ConnectionLimits = ConnectionTimeouts & {
  maxConnections: number;
  /** Called for each connection beyond them. */
  onRefused(): void;
};

/** Closes connections beyond `maxConnections`, and those whose client leaves a response unread for `unreadMs`. */
export function limitConnections(
  server: Server,
  log: FastifyBaseLogger,
  { maxConnections, onRefused, unreadMs, checkMs }: ConnectionLimits,
): void {
  server.maxConnections = maxConnections;
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    onRefused();
    if (performance.now() - loggedAt < logIntervalMs) return;
    loggedAt = performance.now();
    log.warn({ maxConnections }, 'connections are refused: there are as many as MAX_CONNECTIONS allows');
  });
  closeUnreadConnections(server, log, { unreadMs, checkMs });
}

/**
 * A response that its client does not read stays in memory. A timeout of the socket would not do: a request that the client
 * sends restarts it, and it also ends a connection whose request waits for the store.
 */
function closeUnreadConnections(
  server: Server,
  log: FastifyBaseLogger,
  { unreadMs, checkMs }: Pick<ConnectionTimeouts, 'unreadMs' | 'checkMs'>,
): void {
  const sockets = new Map<Socket, Progress | undefined>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });

  const check = () => {
    const now = performance.now();
    for (const [socket, last] of sockets) {
      const progress = progressOf(socket, now);
      if (!progress || progress.sent !== last?.sent || progress.queued !== last.queued) {
        sockets.set(socket, progress);
      } else if (now - last.at >= unreadMs) {
        log.info({ ip: socket.remoteAddress }, 'closed a connection whose client left a response unread');
        socket.destroy();
      }
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** `sent`: bytes of chunks that were written in full. `queued`: what is left of the chunk that is being written. */
type Progress = { at: number; sent: number; queued: number };

/** @returns undefined for a connection that has nothing to write. */
function progressOf(socket: Socket, at: number): Progress | undefined {
  if (socket.writableLength === 0) return undefined;
  // A response is often one chunk, and no public property shows how much of a chunk is written. Node's own timeout of a
  // socket reads this one. Without it a slow client would have to read a whole chunk in time.
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return { at, sent: socket.bytesWritten - socket.writableLength, queued: handle?.writeQueueSize ?? 0 };
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
