/** The server's one listener of requests, in front of the framework. */

import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { paths } from '../contract/paths.ts';
import { noteVisit } from './database/row-turns.ts';
import { openPipelineLimit } from './http/connections.ts';
import { type LoadSheddingOptions, openLoadShedding, type RequestKind } from './http/load-shedding.ts';
import type { ResponseCache } from './http/response-cache.ts';
import { routedPath } from './http/routed-path.ts';

type FrontParts = Omit<LoadSheddingOptions, 'kindOf'> & { responseCache: ResponseCache };

/** The framework gets the requests that are left: of clients that do not send too many ahead, not answered from the cache, not shed. */
export function standInFrontOf(server: Server, { responseCache, ...shedding }: FrontParts): void {
  const [framework] = server.listeners('request') as RequestListener[];
  const isTooFarAhead = openPipelineLimit();
  const shedLoad = openLoadShedding((request, response) => framework?.(request, response), {
    ...shedding,
    kindOf: kindOfRequest,
  });
  server.removeAllListeners('request').on('request', (request, response) => {
    if (isTooFarAhead(request, response)) return;
    if (responseCache.answer(request, response)) return noteVisit();
    shedLoad(request, response);
  });
}

/** Never shed: what operators need, and the first page, the front and the feed, of each of which all visitors share one load. */
const neverShed: ReadonlySet<string> = new Set([
  paths.health,
  paths.readiness,
  paths.metrics,
  paths.books,
  paths.front,
  paths.feed,
]);

/** Each reads many books. The first page and the front under their usual addresses are never shed. */
const listsOfBooks: ReadonlySet<string> = new Set([paths.books, paths.suggest, paths.front, paths.sitemap]);

/** @returns the queue that a request waits in; undefined for one that never waits. */
export function kindOfRequest({
  method,
  url = '',
}: Pick<IncomingMessage, 'method' | 'url'>): RequestKind | undefined {
  if (neverShed.has(url)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return 'changes';
  const path = routedPath(url);
  return listsOfBooks.has(path) || path.endsWith('/beside') || path.startsWith(paths.sitemapPart(''))
    ? 'searches'
    : 'reads';
}
