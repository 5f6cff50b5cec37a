/**
 * Answers that are kept whole, headers and all, and sent again before the framework sees the request. Each is the
 * framework's own answer, taken down as it went out, and it is sent only for as long as what it was made from has not
 * changed (docs/decisions/0017).
 */

import type { IncomingMessage, Server } from 'node:http';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';

export type ReadyAnswers = {
  /** From now on the server looks here first, and hands on what is not kept. */
  standBefore(server: Server): void;
  /**
   * The answer that is being made may be kept; its route takes it down by {@link ReadyAnswers.takeDown}.
   * @param mark what {@link ReadyAnswersParts.mark} said before anything was read for it.
   */
  keep(reply: FastifyReply, mark: number): void;
  /** A route's `onSend` hook. */
  takeDown: onSendHookHandler;
  /** From now on the framework answers everything. */
  stop(): void;
};

export type ReadyAnswersParts = {
  /** Differs when any kept answer may have become another since; NaN when that cannot be told. */
  mark(): number;
  /** Told of each answer that was sent from here, and how long it took to hand it to the socket. */
  onAnswer(route: string, seconds: number): void;
};

type Answer = { route: string; rawHeaders: string[]; body: Buffer };

/** A book's takes less than a kilobyte; the first page's bytes are the same for all who ask for the same coding. */
const mostAnswers = 5_000;
const longestKey = 300;

export function openReadyAnswers({ mark, onAnswer }: ReadyAnswersParts): ReadyAnswers {
  const answers = new Map<string, Answer>();
  const marks = new WeakMap<FastifyReply, number>();
  /** Under which all of them were made. */
  let answersMark = Number.NaN;
  let isStopped = false;

  const find = (request: IncomingMessage): Answer | undefined => {
    if (request.method !== 'GET' || isStopped) return undefined;
    const answer = answers.get(keyOf(request));
    return answer && mark() === answersMark && !asksForMore(request) ? answer : undefined;
  };

  return {
    standBefore(server) {
      const handlers = server.listeners('request');
      server.removeAllListeners('request');
      server.on('request', (request, response) => {
        const answer = find(request);
        if (!answer) {
          for (const handle of handlers) handle.call(server, request, response);
          return;
        }
        const from = performance.now();
        response.writeHead(200, answer.rawHeaders).end(answer.body);
        onAnswer(answer.route, (performance.now() - from) / 1000);
      });
    },
    keep(reply, answerMark) {
      marks.set(reply, answerMark);
    },
    takeDown(request, reply, payload, done) {
      const answerMark = marks.get(reply);
      if (answerMark !== undefined && answerMark === mark() && isKeepable(request, reply)) {
        const body = Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload));
        if (answerMark !== answersMark) answers.clear();
        answersMark = answerMark;
        const [oldest] = answers.keys();
        if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest);
        answers.set(keyOf(request.raw), {
          route: request.routeOptions.url ?? 'none',
          rawHeaders: rawHeadersOf(reply, body),
          body,
        });
      }
      done(null, payload);
    },
    stop() {
      isStopped = true;
    },
  };
}

/** What an answer may depend on: the address, and what its reader can decode. */
const keyOf = ({ url, headers }: IncomingMessage): string => `${url} ${headers['accept-encoding']}`;

/** Whether a request says what the plain one does not: its answer would be another, or would have to be looked at. */
const asksForMore = ({ headers }: IncomingMessage): boolean =>
  headers['if-none-match'] !== undefined ||
  headers.origin !== undefined ||
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined;

const isKeepable = (request: FastifyRequest, reply: FastifyReply): boolean =>
  request.method === 'GET' &&
  reply.statusCode === 200 &&
  reply.getHeader('set-cookie') === undefined &&
  !asksForMore(request.raw) &&
  keyOf(request.raw).length <= longestKey;

function rawHeadersOf(reply: FastifyReply, body: Buffer): string[] {
  const headers = { ...reply.getHeaders(), 'content-length': body.length };
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  );
}
