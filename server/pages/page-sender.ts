/** Sends the built page with the content for an address, and with its painted screen if it has one. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { PageResponses } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { pagePolicy } from '../http/headers.ts';
import { isLoopback } from '../http/loopback.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import type { Settings } from '../settings/settings.ts';
import { openFrame } from './frame.ts';
import { type PageContent, pageTemplate } from './page-template.ts';
import { openPainter } from './painter.ts';

export const appPages = { shop: 'index.html', desk: 'desk.html' } as const;
type AppPage = keyof typeof appPages;

export type SenderParts = {
  db: Db;
  catalogueVersion: CatalogueVersion;
  responseCache: ResponseCache;
  /** The folder of the built browser app. In development, builds may change it at any time, so each request reads it again. */
  pages: { folder: string; isRebuilt: boolean };
  storeConfig: StoreConfig;
  settings: Pick<Settings, 'publicUrl' | 'imageOrigins' | 'withdrawalDays' | 'shopEmail'>;
};

type PageParts = { content: PageContent; responses?: PageResponses };
type LoadPage = () => PageParts | Promise<PageParts>;
/** `path`: the key under which the painted page is cached; without one it is painted for its request alone. */
type SendOptions = { path?: string | undefined; page?: AppPage; lifetimeMs?: number; status?: number };

const htmlType = 'text/html; charset=utf-8';
const styleSheet = /<link rel="stylesheet" crossorigin href="([^"]+)"/g;

/** With this header, a browser requests the style sheets before the page itself arrives. */
const preloadsOf = (html: string): string =>
  [...html.matchAll(styleSheet)]
    .map(([, file]) => `<${file}>; rel=preload; as=style; crossorigin`)
    .join(', ');

export type SendPage = ReturnType<typeof openPageSender>;

export function openPageSender(parts: SenderParts, log: FastifyBaseLogger) {
  const { pages, storeConfig, responseCache, settings } = parts;
  const { apiHost, imageHost } = storeConfig;
  const { publicUrl, imageOrigins } = settings;
  // The store's own images are on the API's origin.
  const api = apiHost === '' ? [] : [apiHost];
  const uploads = URL.canParse(imageHost.url) ? [new URL(imageHost.url).origin] : [];
  const sources = { connect: [...new Set([...api, ...uploads])], images: [...api, ...imageOrigins] };
  const read = (page: AppPage) => ({
    fill: pageTemplate(readFileSync(join(pages.folder, appPages[page]), 'utf8'), storeConfig),
    headers: {
      // The desk's ISBN scanner needs the camera.
      ...pagePolicy({ ...sources, hasCamera: page === 'desk' }),
      // Browsers must revalidate a cached page: its files belong to one build, and a book's page has the price.
      ...{ 'content-type': htmlType, 'cache-control': 'no-cache' },
    },
  });
  const built = { shop: read('shop'), desk: read('desk') };
  const readFrame = openFrame(parts, settings.withdrawalDays);
  const paint = openPainter({ ...pages, storeConfig, log });
  // Other names of this machine are redirected to the public name.
  const isFor = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
    headers.host === publicUrl.host || !isLoopback(publicUrl.hostname);

  /** @throws what `load` throws. */
  return async (request: FastifyRequest, reply: FastifyReply, load: LoadPage, options: SendOptions = {}) => {
    const { path, page = 'shop', lifetimeMs = Number.POSITIVE_INFINITY, status = 200 } = options;
    const { fill, headers } = pages.isRebuilt ? read(page) : built[page];
    const policy = { key: pages.isRebuilt ? undefined : path, isCompressed: true, isFor, lifetimeMs };
    return await responseCache.send(request, reply.code(status).headers(headers), policy, async () => {
      const { content, responses = {} } = await load();
      const [address = '', search = ''] = (path ?? request.url).split('?', 2);
      const isPainted = content.body === undefined;
      const painted = isPainted ? await paint({ path: address, search, responses }) : undefined;
      const frame = await readFrame();
      // The owner's desk has no foot.
      const text = fill(content, page === 'desk' ? { ...frame, foot: '' } : frame, painted);
      return { text, type: htmlType, link: preloadsOf(text) };
    });
  };
}
