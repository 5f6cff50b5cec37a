/**
 * Requests whose response is sent before their body has arrived, such as an upload without a session. Node would read the
 * rest of the body and discard it, to use the connection again: 40 refused uploads of 10 MB took 0.7 seconds of processor
 * time, and responses to other requests waited behind them. Here the connection is closed instead, and a client that asks
 * first (`Expect: 100-continue`, RFC 9110, section 10.1.1) gets the final status without an invitation to send the body.
 */

import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';

/** Node reads and discards a body up to this length, because a new connection would cost more. */
const maxDiscardedBytes = 64 * 1024;

/**
 * An immediate close would reset the connection, and the client would lose the response that it has not read yet (RFC 9112,
 * section 9.6). So the store's side is closed at once, and the client's side after this time or when the client closes it.
 */
const lingerMs = 2_000;
/** Read while lingering, so that the client can finish sending a small body. The rest stays unread. */
const maxLingerBytes = 256 * 1024;

/** Requests that sent `Expect: 100-continue` and wait for the invitation to continue. */
const awaitingContinue = new WeakSet<IncomingMessage>();

/** Keeps the app from reading bodies that it does not need, and refuses those above the route's `bodyLimit` unread. */
export function refuseUnreadBodies(app: FastifyInstance): void {
  const handOn: RequestListener = (request, response) => app.server.emit('request', request, response);
  app.server.on('checkContinue', (request, response) => {
    awaitingContinue.add(request);
    handOn(request, response);
  });
  // Any other expectation is ignored, as RFC 9110, section 10.1.1 permits. Node would send 417 and then read the body.
  app.server.on('checkExpectation', handOn);

  // The first hook after the guards: the body is wanted.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, is404, routeOptions } = request;
    if (
      !is404 &&
      Number(raw.headers['content-length']) > (routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY)
    ) {
      return done(new Problem('BODY_TOO_LARGE'));
    }
    if (!is404 && awaitingContinue.delete(raw)) reply.raw.writeContinue();
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    closeIfUnread(request, reply);
    done();
  });
}

/** Makes the response the last one of its connection if the request's body has not arrived, unless the body is small. */
export function closeIfUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { 'content-length': length, 'transfer-encoding': transferEncoding } = raw.headers;
  if (raw.complete || raw.readableEnded || (length === undefined && transferEncoding === undefined)) return;
  const isDiscarded =
    // Not so without a length, for a chunked body.
    Number(length) <= maxDiscardedBytes &&
    // A reader that has stopped in the middle would never take the rest.
    raw.readableFlowing === null &&
    !awaitingContinue.has(raw);
  if (isDiscarded) return;
  reply.header('connection', 'close');
  // Node calls it when the last response has been sent.
  raw.socket.destroySoon = () => linger(raw.socket);
}

const lingering = new WeakSet<Socket>();

/**
 * Closes the store's side of a connection now, and the client's side soon. No further request of it is served.
 * @param ms how long the client may take to close its side.
 */
export function linger(socket: Socket, ms = lingerMs): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  socket.end();
  // The connection belongs to no parser any more: a further request on it is not served (RFC 9112, section 9.6).
  socket.removeAllListeners('data').removeAllListeners('end');
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > maxLingerBytes) socket.pause();
  });
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}
