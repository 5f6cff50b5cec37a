/** Sends the built page with the content for an address, and with its painted screen if it has one. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { PageResponses } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { matchesEtag } from '../http/etags.ts';
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

  const sendHtml = (request: FastifyRequest, reply: FastifyReply, html: string, status: number) => {
    const etag = `"${hash('sha256', html, 'base64url').slice(0, 27)}"`;
    reply.headers({ ...headers.shop, etag });
    if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.code(status).send(html);
  };
  const paintedParts = async (address: string, page: AppPage, { content, responses = {} }: PageParts) => {
    const [path = '', search = ''] = address.split('?', 2);
    const painted = content.body === undefined ? await paint(path, search, responses) : undefined;
    const frame = await readFrame();
    // The owner's desk has no foot.
    const text = templateOf(page)(content, page === 'desk' ? { ...frame, foot: '' } : frame, painted);
    return { text, link: preloadsOf(text) };
  };

  return {
    async send(request: FastifyRequest, reply: FastifyReply, content: PageContent, status = 200) {
      return sendHtml(request, reply, templateOf('shop')(content, await readFrame()), status);
    },

    /** Sends a page with the screen at the address of the request, painted for it alone. */
    async sendPainted(request: FastifyRequest, reply: FastifyReply, parts: PageParts, status = 200) {
      const { text, link } = await paintedParts(request.url, 'shop', parts);
      if (link) reply.header('link', link);
      return sendHtml(request, reply, text, status);
    },

    /** Sends a painted page that is cached under its path. @throws what `load` throws. */
    async sendStored(request: FastifyRequest, reply: FastifyReply, stored: StoredPage) {
      const { path, page = 'shop', load, lifetimeMs = Number.POSITIVE_INFINITY } = stored;
      const key = isRebuilt ? undefined : path;
      const policy = { key, isCompressed: true, isFor: isForStored, lifetimeMs };
      await responseCache.send(request, reply.headers(headers[page]), policy, async () => ({
        ...(await paintedParts(path, page, await load())),
        type: htmlType,
      }));
      return reply;
    },
  };
}
