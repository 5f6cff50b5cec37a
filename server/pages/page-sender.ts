/** Sends the pages: the built one with the content of an address, and with its screen painted where there is something to paint. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { PageResponses } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { matchesEtag } from '../http/etags.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { type PageContent, pageTemplate } from './page-template.ts';
import { openPainter } from './painter.ts';

/** The built files, `index.html` for all screens of the shop and `desk.html` for those of the desk. */
export const appPages = { shop: 'index.html', desk: 'desk.html' } as const;
type AppPage = keyof typeof appPages;

const styleSheet = /<link rel="stylesheet" crossorigin href="([^"]+)"/g;

const htmlType = 'text/html; charset=utf-8';

type SenderParts = {
  folder: string;
  isRebuilt: boolean;
  storeConfig: StoreConfig;
  /** HTML below every screen. */
  foot: string;
  /** The headers of a page: what it may load. */
  policyOf: (page: AppPage) => Readonly<Record<string, string>>;
  responseCache: ResponseCache;
  /** @returns false for a request that no stored page answers. */
  isForStored: (request: Pick<FastifyRequest, 'headers'>) => boolean;
  log: FastifyBaseLogger;
};

/** The parts of a page. */
type PageParts = { content: PageContent; responses?: PageResponses };

type StoredPage = {
  /** The address that the page is stored under, without a query. */
  path: string;
  page?: AppPage;
  load: () => Promise<PageParts>;
  /** Load it again after so long, although the catalogue has not changed. */
  lifetimeMs?: number;
};

/** @returns a header with which a browser asks for the style sheets of a page before the page itself has arrived. */
const preloadsOf = (html: string): string =>
  Array.from(html.matchAll(styleSheet), ([, file]) => `<${file}>; rel=preload; as=style; crossorigin`).join(
    ', ',
  );

export type PageSender = ReturnType<typeof openPageSender>;

export function openPageSender(parts: SenderParts) {
  const { folder, isRebuilt, storeConfig, foot, policyOf, responseCache, isForStored, log } = parts;
  const readTemplate = (page: AppPage) =>
    pageTemplate(readFileSync(join(folder, appPages[page]), 'utf8'), storeConfig, foot);
  const readTemplates = () => ({ shop: readTemplate('shop'), desk: readTemplate('desk') });
  const builtTemplates = readTemplates();
  const templateOf = (page: AppPage) => (isRebuilt ? readTemplates() : builtTemplates)[page];
  const headersOf = (page: AppPage) => ({
    ...policyOf(page),
    'content-type': htmlType,
    // The page names the files of one build, and that of a book its price: a cached page may have neither any more.
    'cache-control': 'no-cache',
  });
  const headers = { shop: headersOf('shop'), desk: headersOf('desk') };
  const paint = openPainter({ folder, isRebuilt, storeConfig, log });

  const sendHtml = (request: FastifyRequest, reply: FastifyReply, html: string, status: number) => {
    const etag = `"${hash('sha256', html, 'base64url').slice(0, 27)}"`;
    reply.header('etag', etag);
    if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.code(status).send(html);
  };
  const paintedParts = async (address: string, page: AppPage, { content, responses = {} }: PageParts) => {
    const [path = '', search = ''] = address.split('?', 2);
    const text = templateOf(page)(content, await paint(path, search, responses));
    return { text, link: preloadsOf(text) };
  };

  return {
    /** Sends a page whose screen the browser renders. */
    send(request: FastifyRequest, reply: FastifyReply, content: PageContent, status = 200) {
      reply.headers(headers.shop);
      return sendHtml(request, reply, templateOf('shop')(content), status);
    },

    /** Sends a page with the screen at the address of the request, painted for it alone. */
    async sendPainted(request: FastifyRequest, reply: FastifyReply, parts: PageParts, status = 200) {
      reply.headers(headers.shop);
      const { text, link } = await paintedParts(request.url, 'shop', parts);
      if (link) reply.header('link', link);
      return sendHtml(request, reply, text, status);
    },

    /** Sends a painted page that is stored under the catalogue's version. @throws what `load` throws. */
    async sendStored(request: FastifyRequest, reply: FastifyReply, stored: StoredPage) {
      const { path, page = 'shop', load, lifetimeMs } = stored;
      reply.headers(headers[page]);
      const policy = {
        key: isRebuilt ? undefined : path,
        isCompressed: true,
        isFor: isForStored,
        ...(lifetimeMs !== undefined && { lifetimeMs }),
      };
      await responseCache.send(request, reply, policy, async () => ({
        ...(await paintedParts(path, page, await load())),
        type: htmlType,
      }));
      return reply;
    },
  };
}
