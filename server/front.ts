/** The server's one listener of requests, in front of the framework. */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { paths } from '../contract/paths.ts';
import { openPipelineLimit } from './http/connections.ts';
import { problemJson } from './http/error-handler.ts';
import { Problem, problemBody } from './http/problems.ts';
import { noteResponse } from './http/raw-responses.ts';
import { type RequestIdOf, requestIdHeader } from './http/request-ids.ts';
import type { ResponseCache } from './http/response-cache.ts';

type FrontParts = {
  responseCache: ResponseCache;
  requestIdOf: RequestIdOf;
  headers: Readonly<Record<string, string>>;
  onShed(problem: Problem): void;
};

/** Requests under way at once; with more, each would take longer than its client waits. */
const maxUnderWay = 1_000;
const busy = new Problem('BUSY');

/** Never refused: what operators need. */
const exempt: ReadonlySet<string> = new Set([paths.health, paths.readiness, paths.metrics]);

/** The framework gets the requests that are left: of clients that do not send too many ahead, not answered from the cache, not too many. */
export function standInFrontOf(server: Server, { responseCache, onShed, ...refusal }: FrontParts): void {
  const [framework] = server.listeners('request') as RequestListener[];
  const isTooFarAhead = openPipelineLimit();
  let underWay = 0;
  server.removeAllListeners('request').on('request', (request, response) => {
    if (isTooFarAhead(request, response) || responseCache.answer(request, response)) return;
    noteResponse(response);
    if (underWay >= maxUnderWay && !exempt.has(request.url ?? '')) {
      onShed(busy);
      return refuse(request, response, refusal);
    }
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    framework?.(request, response);
  });
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, requestIdOf }: Pick<FrontParts, 'headers' | 'requestIdOf'>,
): void {
  const requestId = requestIdOf(request);
  response
    .writeHead(busy.status, {
      ...headers,
      'cache-control': 'no-store',
      'retry-after': String(busy.retryAfterS),
      'content-type': problemJson,
      [requestIdHeader]: requestId,
    })
    .end(JSON.stringify(problemBody(busy, requestId)));
}
