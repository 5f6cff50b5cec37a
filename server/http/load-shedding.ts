/**
 * Sheds load in front of the framework. The framework starts every request that Node reads, and all of them then wait for one
 * thread: with a thousand clients each response took a second, and health checks and cached responses waited with them.
 *
 * Here a few requests of a kind are in progress at a time, and others wait in a queue, by "controlled delay" (B. Maurer, "Fail
 * at Scale", ACM Queue 13(8), 2015): a burst may wait, but a queue that does not become empty is overload. Then a request
 * beyond a short queue waits five milliseconds at most, so that what is accepted is quick (docs/decisions/0030).
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UnderWay } from '../database/under-way.ts';
import { problemJson } from './error-handler.ts';
import { Problem, problemBody } from './problems.ts';
import { linger } from './refused-bodies.ts';
import { type RequestIdOf, requestIdHeader } from './request-ids.ts';

/**
 * Enough to keep the thread and the database busy: with more, each takes longer. The kinds wait for different things, so that
 * searches do not keep sessions out. Changes wait for the disk, and those that wait together share a commit.
 */
const maxInProgress = { reads: 16, searches: 16, changes: 64 } as const;
/** The kinds of requests. */
export type RequestKind = keyof typeof maxInProgress;

/**
 * A request that has taken longer waits for something else than the thread, such as a slow upload, the identity provider or a
 * lock. Other limits bound these, and they must not keep requests out that would be quick. A search that takes long waits for
 * other searches: it counts until its time limit ends it.
 */
const inProgressMs = { reads: 100, searches: 2_000, changes: 100 } as const;
/** Burst size: a stall of the thread, or a class of pupils that opens a page. */
const maxWaiting = 256;
/** A queue that was not empty for this long is overload. */
const overloadAfterMs = 100;
/** The queue is looked at every few milliseconds: after a longer time the thread stood still, which is no overload. */
const stallMs = 100;
/** Overload lasts at least this long after the last 503: what was refused comes back. */
const overloadLastsMs = 1_000;
/** These may wait in overload too: twice as many clients as are served at once are no overload, however long each takes. */
const minWaiting = 24;
/** How long a request may wait that came in overload, and one that came before. */
const maxWaitMs = { overload: 5, burst: 500 } as const;
const retryAfterS = 2;
/** A connection that sends its next request sooner than it was told waits about this long for the next 503. */
const repeatedDelayMs = 250;

export type LoadSheddingOptions = {
  /** @returns undefined for a request that is never shed, such as a health check. */
  kindOf(request: IncomingMessage): RequestKind | undefined;
  requestIdOf: RequestIdOf;
  /** The security headers. */
  headers: Readonly<Record<string, string>>;
  /** Called for each request that is shed. */
  onShed(problem: Problem): void;
};

/** @returns a listener that hands on to `serve` what is not shed. */
export function openLoadShedding(
  serve: RequestListener,
  { kindOf, requestIdOf, headers, onShed }: LoadSheddingOptions,
): RequestListener {
  const problem = new Problem('BUSY', { retryAfterS });
  const refuse = openRefusals(problem, headers, requestIdOf);
  const shed = (exchange: Exchange) => {
    onShed(problem);
    refuse(exchange);
  };
  const start = ({ request, response }: Exchange) => serve(request, response);
  const queues: Record<RequestKind, Queue> = {
    reads: openQueue('reads', start, shed),
    searches: openQueue('searches', start, shed),
    changes: openQueue('changes', start, shed),
  };
  return (request, response) => {
    const kind = kindOf(request);
    if (kind === undefined) serve(request, response);
    else queues[kind].add({ request, response });
  };
}

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Queue = { add(exchange: Exchange): void };

/**
 * @param serve starts a request.
 * @param shed refuses it.
 */
function openQueue(
  kind: RequestKind,
  serve: (exchange: Exchange) => void,
  shed: (exchange: Exchange) => void,
): Queue {
  /** Those that have not taken long. */
  const inProgress = new UnderWay();
  /** Oldest first. */
  let waiting: { exchange: Exchange; deadline: number }[] = [];
  let notEmptySince = 0;
  let checkedAt = 0;
  let lastShedAt = Number.NEGATIVE_INFINITY;
  let isTimed = false;
  let isScheduled = false;

  const start = (exchange: Exchange, now: number) => {
    const begun = inProgress.begin(now);
    exchange.response.once('close', () => {
      inProgress.end(begun);
      if (waiting.length > 0) schedule();
    });
    serve(exchange);
  };
  const isFull = (now: number): boolean => {
    if (inProgress.count < maxInProgress[kind]) return false;
    inProgress.forgetUntil(now - inProgressMs[kind]);
    return inProgress.count >= maxInProgress[kind];
  };

  /** Once in a turn of the event loop, after its responses. */
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      drain();
    });
  };
  const drain = () => {
    const now = performance.now();
    checkedAt = now;
    let surplus = waiting.length - minWaiting;
    waiting = waiting.filter(({ exchange, deadline }) => {
      const isLate = now > deadline && surplus > 0;
      if (!isLate && isFull(now)) return true;
      surplus -= 1;
      if (exchange.request.socket.destroyed) return false;
      if (isLate) refuse(exchange, now);
      else start(exchange, now);
      return false;
    });
    if (waiting.length > 0) checkLater();
  };
  /** In case that no response comes before the time of the oldest is up. */
  const checkLater = () => {
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      drain();
    }, maxWaitMs.overload);
  };
  const refuse = (exchange: Exchange, now: number) => {
    lastShedAt = now;
    shed(exchange);
  };

  return {
    add(exchange) {
      const now = performance.now();
      if (waiting.length === 0) {
        if (!isFull(now)) return start(exchange, now);
        notEmptySince = now;
        checkLater();
      } else if (now - checkedAt > stallMs) notEmptySince = now;
      checkedAt = now;
      if (waiting.length >= maxWaiting) return refuse(exchange, now);
      const isOverload = now - notEmptySince > overloadAfterMs || now - lastShedAt < overloadLastsMs;
      waiting.push({ exchange, deadline: now + maxWaitMs[isOverload ? 'overload' : 'burst'] });
    },
  };
}

/** @returns a function that sends the problem to a request, without reading its body. */
function openRefusals(
  problem: Problem,
  securityHeaders: Readonly<Record<string, string>>,
  requestIdOf: RequestIdOf,
): (exchange: Exchange) => void {
  const headers = {
    ...securityHeaders,
    'cache-control': 'no-store',
    'retry-after': String(problem.retryAfterS),
    'content-type': problemJson,
  };
  const refusedAt = new WeakMap<Socket, number>();

  const respond = ({ request, response }: Exchange) => {
    const { socket, complete, headers: sent } = request;
    if (socket.destroyed) return;
    if (!complete && (sent['content-length'] !== undefined || sent['transfer-encoding'] !== undefined)) {
      response.shouldKeepAlive = false;
      socket.destroySoon = () => linger(socket);
    }
    const requestId = requestIdOf(request);
    const body = JSON.stringify(problemBody(problem, requestId));
    const length = String(Buffer.byteLength(body));
    response
      .writeHead(problem.status, { ...headers, 'content-length': length, [requestIdHeader]: requestId })
      .end(body);
  };
  return (exchange) => {
    const { socket } = exchange.request;
    const now = performance.now();
    const isRepeated = now - (refusedAt.get(socket) ?? Number.NEGATIVE_INFINITY) < retryAfterS * 1000;
    refusedAt.set(socket, now);
    // Thousands of 503s a second, to clients that ignore Retry-After, would slow down what is accepted.
    if (isRepeated) setTimeout(respond, (0.5 + Math.random()) * repeatedDelayMs, exchange);
    else respond(exchange);
  };
}
