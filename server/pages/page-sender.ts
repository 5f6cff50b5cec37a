/** Sends the built page with the content for an address, and with its painted screen if it has one. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { PageResponses } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { type PageContent, type PageFrame, pageTemplate } from './page-template.ts';
import { openPainter } from './painter.ts';

export const appPages = { shop: 'index.html', desk: 'desk.html' } as const;
type AppPage = keyof typeof appPages;

type SenderParts = {
  folder: string;
  isRebuilt: boolean;
  storeConfig: StoreConfig;
  readFrame: () => Promise<PageFrame>;
  policyOf: (page: AppPage) => Readonly<Record<string, string>>;
  responseCache: ResponseCache;
  /** False for a request that a stored page cannot answer. */
  isForStored: (request: Pick<FastifyRequest, 'headers'>) => boolean;
  log: FastifyBaseLogger;
};

type PageParts = { content: PageContent; responses?: PageResponses };

type StoredPage = {
  path: string;
  page?: AppPage;
  load: () => Promise<PageParts>;
  lifetimeMs?: number;
};

const htmlType = 'text/html; charset=utf-8';
const styleSheet = /<link rel="stylesheet" crossorigin href="([^"]+)"/g;

/** With this header, a browser requests the style sheets before the page itself arrives. */
const preloadsOf = (html: string): string =>
  [...html.matchAll(styleSheet)]
    .map(([, file]) => `<${file}>; rel=preload; as=style; crossorigin`)
    .join(', ');

export type PageSender = ReturnType<typeof openPageSender>;

export function openPageSender(parts: SenderParts) {
  const { folder, isRebuilt, storeConfig, readFrame, policyOf, responseCache, isForStored, log } = parts;
  const readTemplate = (page: AppPage) =>
    pageTemplate(readFileSync(join(folder, appPages[page]), 'utf8'), storeConfig);
  const built = { shop: readTemplate('shop'), desk: readTemplate('desk') };
  const templateOf = (page: AppPage) => (isRebuilt ? readTemplate(page) : built[page]);
  // Browsers must revalidate a cached page: its files belong to one build, and a book's page has the price.
  const headersOf = (page: AppPage) => ({
    ...{ ...policyOf(page), 'content-type': htmlType, 'cache-control': 'no-cache' },
  });
  const headers = { shop: headersOf('shop'), desk: headersOf('desk') };
  const paint = openPainter({ folder, isRebuilt, storeConfig, log });

  const paintedParts = async (address: string, page: AppPage, { content, responses = {} }: PageParts) => {
    const [path = '', search = ''] = address.split('?', 2);
    const painted = content.body === undefined ? await paint(path, search, responses) : undefined;
    const frame = await readFrame();
    // The owner's desk has no foot.
    const text = templateOf(page)(content, page === 'desk' ? { ...frame, foot: '' } : frame, painted);
    return { text, type: htmlType, link: preloadsOf(text) };
  };
  const uncached = { key: undefined, isCompressed: true };

  return {
    async send(request: FastifyRequest, reply: FastifyReply, content: PageContent, status = 200) {
      await responseCache.send(request, reply.code(status).headers(headers.shop), uncached, async () => ({
        text: templateOf('shop')(content, await readFrame()),
        type: htmlType,
      }));
      return reply;
    },

    /** Sends a page with the screen at the address of the request, painted for it alone. */
    async sendPainted(request: FastifyRequest, reply: FastifyReply, parts: PageParts, status = 200) {
      const load = () => paintedParts(request.url, 'shop', parts);
      await responseCache.send(request, reply.code(status).headers(headers.shop), uncached, load);
      return reply;
    },

    /** Sends a painted page that is cached under its path. @throws what `load` throws. */
    async sendStored(request: FastifyRequest, reply: FastifyReply, stored: StoredPage) {
      const { path, page = 'shop', load, lifetimeMs = Number.POSITIVE_INFINITY } = stored;
      const key = isRebuilt ? undefined : path;
      const policy = { key, isCompressed: true, isFor: isForStored, lifetimeMs };
      await responseCache.send(request, reply.headers(headers[page]), policy, async () =>
        paintedParts(path, page, await load()),
      );
      return reply;
    },
  };
}
