/** A stop that loses no request: health checks fail first, and every request that has arrived gets a response. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { shortenAcceptQueues, stopListening } from './listen.ts';
import { Server } from './node-http.ts';
import { Problem } from './problems.ts';
import { endWithProblem, type HttpSocket } from './raw-responses.ts';
import { linger } from './refused-bodies.ts';

/** A flood of connections must not keep the store from stopping. */
const maxAcceptMs = 1_000;
/** In a longer turn of the event loop a connection could have been established after Node looked for some. */
const maxTurnMs = 0.1;
/** A client that has just connected is about to send its request. */
const firstRequestMs = 250;
/** How long an idle connection is read after its end was announced: a request may cross the announcement on the line. */
const idleLingerMs = 250;
/** How often connections that have become idle are closed. */
const checkMs = 20;
/** How long requests in flight may take to finish when the store no longer listens. */
const finishTimeoutMs = 7_500;
/** How long the responses to those that have not finished then may take to leave. */
const lastResponsesMs = 500;

/**
 * Makes `app.close()` lose no request, in this order:
 * 1. For `delayMs` the app goes on listening and serving, so that a proxy has time to notice `isStopping` at its health
 *    check. Each response closes its connection, and so empties the proxy's pool.
 * 2. Connections that the kernel has established are accepted; it would reset them.
 * 3. The listeners are closed. Each request that has arrived is answered, and each connection is closed when it is idle.
 *    Those that still wait after 7.5 seconds, such as for a lock, get 503. After 8 seconds the rest is closed.
 * A connection is ended (FIN) and read for a while: closed with unread bytes, it would be reset, and the client could lose
 * a response that it has not read yet (RFC 9112, section 9.6).
 * @param headers the security headers.
 */
export function stopGracefully(
  app: FastifyInstance,
  { delayMs, headers }: { delayMs: number; headers: Readonly<Record<string, string>> },
): { isStopping(): boolean } {
  const { server } = app;
  /** By the time of their arrival. */
  const sockets = new Map<Socket, number>();
  let isStopping = false;
  let accepted = 0;

  const endSoftly = (socket: Socket) => {
    // Node calls it when the last response has been sent.
    socket.destroySoon = () => linger(socket);
  };
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.set(socket, performance.now());
    socket.once('close', () => sockets.delete(socket));
    if (isStopping) endSoftly(socket);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isStopping) {
      // The framework sets it for every request that comes after the stop.
      reply.raw.removeHeader('connection');
      if (isLastOfItsConnection(request.raw)) reply.header('connection', 'close');
    }
    done();
  });

  /** Node knows which connections are idle, and can only destroy them. */
  const endIdleConnections = () => {
    const newest = performance.now() - firstRequestMs;
    for (const [socket, connectedAt] of sockets) {
      socket.destroy = () => {
        Reflect.deleteProperty(socket, 'destroy');
        linger(socket, idleLingerMs);
        return socket;
      };
      // To Node a connection is busy until its first request.
      if (socket.bytesRead === 0 && connectedAt < newest) socket.destroy();
    }
    Server.prototype.closeIdleConnections.call(server);
    for (const socket of sockets.keys()) Reflect.deleteProperty(socket, 'destroy');
  };

  /** Node accepts at least one connection in each turn of the event loop if there is one. */
  const acceptQueued = async () => {
    shortenAcceptQueues(app);
    const deadline = performance.now() + maxAcceptMs;
    for (let isEmpty = false; !isEmpty && performance.now() < deadline; ) {
      const before = { accepted, at: performance.now() };
      await turn();
      isEmpty = accepted === before.accepted && performance.now() - before.at < maxTurnMs;
    }
  };

  /** A change that gets this 503 may still be carried out, as after any timeout. */
  const refuseUnfinished = () => {
    const options = { headers, lingerMs: lastResponsesMs };
    const ids = [...sockets.keys()].map((socket) =>
      endWithProblem(socket, new Problem('UNAVAILABLE'), options),
    );
    const requestIds = ids.filter((id) => id !== undefined);
    app.log.warn(
      { requests: requestIds.length, requestIds },
      'the stop gives up on requests that have not finished',
    );
  };

  app.addHook('preClose', async () => {
    isStopping = true;
    for (const socket of sockets.keys()) endSoftly(socket);
    if (delayMs > 0) app.log.info({ delayMs }, 'the store is stopping and still serves');
    await pause(delayMs);

    await acceptQueued();
    // Node calls it before it closes the listener, and a connection could be established meanwhile.
    server.closeIdleConnections = () => {};
    const closed = stopListening(app);
    // In the phase after reading: a request that has arrived makes its connection busy.
    const closing = setInterval(() => setImmediate(endIdleConnections), checkMs);
    const refusing = setTimeout(refuseUnfinished, finishTimeoutMs);
    const givingUp = setTimeout(() => server.closeAllConnections(), finishTimeoutMs + lastResponsesMs);
    await closed;
    for (const timer of [closing, refusing, givingUp]) clearTimeout(timer);
  });
  return { isStopping: () => isStopping };
}

/** @returns true if no further request of the connection has been read: pipelined ones are answered too. */
function isLastOfItsConnection(request: IncomingMessage): boolean {
  const { parser }: HttpSocket = request.socket;
  return (parser?.incoming ?? request) === request;
}
