/** Requests of a page: tests hold them back, lose their responses and record them. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Page, Request, Route } from '@playwright/test';

/**
 * Holds back the requests to an address until `release` is called. Call this before the page can send one. @returns `requested`, which
 * resolves at the first request.
 */
export async function holdBack(page: Page, address: string | RegExp) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: requested, resolve: onRequested } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    onRequested();
    await released;
    // This call fails if the page has aborted the request meanwhile.
    await route.continue().catch(() => {});
  });
  return { requested, release };
}

/** Makes the store send pages without a painted screen: the app requests all that it shows. */
export const unpaint = (page: Page) =>
  page.route('**', async (route) => {
    if (!route.request().isNavigationRequest()) return route.fallback();
    const response = await route.fetch();
    const html = (await response.text())
      .replace(/<div id="root">[\s\S]*?<\/div>(?=\s*<script)/, '<div id="root"></div>')
      .replace(/<script type="application\/json" id="painted-screen">.*?<\/script>/, '');
    await route.fulfill({ response, body: html });
  });

/** The store receives the request, but its response does not reach the page. */
export const loseResponse = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort();
};

const addressOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url());
  return pathname + search;
};

/** @returns the paths and queries of the page's matching requests; later ones are added to the list. */
export function watchRequests(page: Page, isWatched: (path: string, request: Request) => boolean): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    const address = addressOf(request);
    if (isWatched(address.replace(/\?.*/, ''), request)) addresses.push(address);
  });
  return addresses;
}

/** @returns the paths and queries of the page's `GET /books` calls. */
export const watchBookLists = (page: Page): string[] => watchRequests(page, (path) => path === '/books');

/** @returns the files with this name ending that the page has loaded, and the bytes that were sent. */
export async function loadedFiles(page: Page, ending: string): Promise<{ names: string[]; bytes: number }> {
  await page.waitForLoadState('networkidle');
  const files = await page.evaluate<[name: string, bytes: number][]>(
    `performance.getEntriesByType('resource').map((entry) => [entry.name, entry.encodedBodySize])`,
  );
  const found = files.filter(([name]) => name.endsWith(ending));
  return {
    names: found.map(([name]) => new URL(name).pathname),
    bytes: found.reduce((sum, [, bytes]) => sum + bytes, 0),
  };
}

/** Starts a server for another site. */
export async function serve(listener: RequestListener): Promise<{ origin: string; close(): void }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('the server has no port');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://localhost:${address.port}`, close };
}
