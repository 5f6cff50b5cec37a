/** The renderer: a file of the build, with which the server paints the first screen of the shop, and the frame of the desk. */
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { deskScreens } from '../contract/desk/paths.ts';
import { paths } from '../contract/paths.ts';
import type { RenderPage } from '../contract/rendered-page.ts';
import { beginPainting, endPainting } from './api/painted-screen.ts';
import { createQueryClient } from './api/query-client.ts';
import { App, chunks } from './app.tsx';
import { SkipLink } from './components/skip-link.tsx';
import { ShownChunk } from './navigation/lazy-screen.tsx';
import { Page } from './navigation/render-page.tsx';
import { SignedInOnly } from './navigation/signed-in-only.tsx';
import { sessionQuery } from './session/session.ts';
import { setStoreConfig, storeConfig } from './store-config.ts';

/** The files of each screen's chunk, which the build of the pages writes. */
declare const chunkFiles: Readonly<Record<string, { scripts: string[]; styles: string[] }>>;

for (const chunk of Object.values(chunks)) await chunk.preload();

const sessionHash = hashKey(sessionQuery.queryKey);

/** Elements that React adds before the screen, to load its images early. The browser finds these images as early without them. */
const preloads = /^(?:<link rel="preload"[^>]*>)+/;

export const render: RenderPage = ({ path, search, responses, storeConfig: config }) => {
  const queryClient = createQueryClient(() => undefined);
  let chunk: string | undefined;
  const setChunk = (shown: object) => {
    chunk = Object.entries(chunks).find(([, one]) => one === shown)?.[0];
  };
  setStoreConfig(config);
  beginPainting(responses);
  try {
    const html = renderToString(
      <Page queryClient={queryClient}>
        {deskScreens.includes(path) ? (
          // The views of the desk need a session.
          <Router ssrPath={path}>
            <SkipLink />
            <SignedInOnly>{() => null}</SignedInOnly>
          </Router>
        ) : (
          <ShownChunk value={setChunk}>
            <App ssrPath={path} ssrSearch={search} />
          </ShownChunk>
        )}
      </Page>,
    );
    return {
      root: html.replace(preloads, ''),
      // Home shows its first screen without the list.
      head: [...filesOf(chunk), ...callsOf(queryClient, chunk ? '' : ' fetchpriority="low"')].join('\n    '),
      screen: { ...(chunk !== undefined && { chunk }), responses },
    };
  } finally {
    endPainting();
    // Without this, the cache's timers would keep the rendered data for half an hour.
    queryClient.clear();
  }
};

/** @returns elements for the head, which load the files of a chunk. */
const filesOf = (chunk: string | undefined): string[] => {
  const { scripts = [], styles = [] } = (chunk !== undefined && chunkFiles[chunk]) || {};
  return [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`),
    ...scripts.map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}" />`),
  ];
};

/**
 * @returns preloads of the lists and of the session that the screen waits for, so that the browser sends these requests before its script
 * runs. Each request equals that of `callApi`, which then gets its response.
 */
const callsOf = (queryClient: QueryClient, priority: string): string[] =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'pending')
    .map(({ queryHash, options }) =>
      queryHash === sessionHash ? paths.session : 'initialPageParam' in options && options.initialPageParam,
    )
    .filter((address) => typeof address === 'string')
    .map((address) => (storeConfig.apiHost + address).replaceAll('&', '&amp;'))
    .map(
      (href) => `<link rel="preload" as="fetch"${priority} crossorigin="use-credentials" href="${href}" />`,
    );
