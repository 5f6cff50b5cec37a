/** The server's one listener of requests, in front of the framework. */

import type { RequestListener, Server } from 'node:http';
import { paths } from '../contract/paths.ts';
import { bareResponse, beginResponse } from './http/connections.ts';
import { Problem } from './http/problems.ts';
import type { RequestIdOf } from './http/request-ids.ts';
import type { ResponseCache } from './http/response-cache.ts';

type FrontParts = {
  responseCache: Pick<ResponseCache, 'answer'>;
  requestIdOf: RequestIdOf;
  headers: Readonly<Record<string, string>>;
  onShed(problem: Problem): void;
};

/** The most requests under way at once; with more, each would take longer than its client waits. */
const maxUnderWay = 1_000;
const busy = new Problem('BUSY');

/** Operators need these paths, which are never refused as busy. */
const exempt: ReadonlySet<string> = new Set([paths.health, paths.readiness, paths.metrics]);

/** Passes a request on to the framework, unless its client sends too many ahead, the cache answers it, or too many are under way. */
export function standInFrontOf(
  server: Server,
  { responseCache, requestIdOf, headers, onShed }: FrontParts,
): void {
  const [framework] = server.listeners('request') as RequestListener[];
  let underWay = 0;
  server.removeAllListeners('request').on('request', (request, response) => {
    if (!beginResponse(request, response) || responseCache.answer(request, response)) return;
    if (underWay >= maxUnderWay && !exempt.has(request.url ?? '')) {
      onShed(busy);
      const bare = bareResponse(busy, requestIdOf(request), headers);
      response.writeHead(busy.status, bare.headers).end(bare.body);
      return;
    }
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    framework?.(request, response);
  });
}
