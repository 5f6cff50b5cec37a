import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { screenPatterns } from '../../contract/paths.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { type AllowedMethods, allowedMethods } from '../http/allowed-methods.ts';
import { sendProblem } from '../http/error-handler.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { pagePolicy } from '../http/headers.ts';
import { isLoopback } from '../http/loopback.ts';
import { wantsPage } from '../http/problem-page.ts';
import { Problem } from '../http/problems.ts';

export type PagesParts = {
  /** The folder of the built browser app. */
  folder: string;
  /** In development: the files are built again while the store runs, so they are read for each request. */
  isRebuilt: boolean;
  storeConfig: StoreConfig;
  /** Where browsers open the store. */
  publicUrl: URL;
  /** Where images may come from besides the store: origins, or `https:`. */
  imageOrigins: readonly string[];
};

/** The built browser app: one HTML page for all screens, and its files. */
export const pageRoutes: FastifyPluginAsync<PagesParts> = async (
  app,
  { folder, isRebuilt, storeConfig, publicUrl, imageOrigins },
) => {
  const readPage = () => {
    const html = renderPage(readFileSync(join(folder, 'index.html'), 'utf8'), storeConfig);
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    return { html, etag };
  };
  let page = readPage();
  const headers = {
    ...pagePolicy({
      connect: [...new Set([...apiOrigins(storeConfig), ...imageHostOrigins(storeConfig)])],
      // The store's own images are on the origin of the API.
      images: [...apiOrigins(storeConfig), ...imageOrigins],
    }),
    'content-type': 'text/html; charset=utf-8',
    // The page names the files of one build: a cached page would load files that no longer exist.
    'cache-control': 'no-cache',
  };
  const sendPage = (request: FastifyRequest, reply: FastifyReply, status: 200 | 404 | 405) => {
    if (isRebuilt) page = readPage();
    reply.headers(headers).header('etag', page.etag);
    if (status === 200 && request.headers['if-none-match'] === page.etag) return reply.code(304).send();
    return reply.code(status).send(page.html);
  };

  // The page and its files contain no customer's data: the app fetches that from guarded routes.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
    route.schema = { ...route.schema, hide: true };
  });

  for (const pattern of screenPatterns) {
    app.get(pattern, (request, reply) => {
      if (!isAtOtherLoopbackName(request, publicUrl)) return sendPage(request, reply, 200);
      return reply.header('cache-control', 'no-store').redirect(publicUrl.origin + request.url);
    });
  }

  await app.register(staticFiles, {
    root: folder,
    wildcard: isRebuilt,
    index: false,
    preCompressed: true,
    decorateReply: false,
    globIgnore: ['index.html', '.vite/**', '**/*.{gz,br}'],
    setHeaders: (reply, path) => {
      const isNamedByContent = path.startsWith(join(folder, 'assets') + sep);
      reply.header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  let methodsOf: AllowedMethods;
  app.addHook('onReady', async () => {
    methodsOf = allowedMethods(Object.keys(app.declaredAccess));
  });

  /** A browser that opens a page gets the app's not-found screen; any other request gets a problem. */
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
    // A route may allow the method and still be here: its file of the build was deleted.
    const isWrongMethod = methods.length > 0 && !methods.includes(request.method);
    // Required with a 405 (RFC 9110, section 15.5.6).
    if (isWrongMethod) reply.header('allow', methods.join(', '));
    if (wantsPage(request) && !request.url.startsWith('/assets/'))
      return sendPage(request, reply, isWrongMethod ? 405 : 404);
    return sendProblem(request, reply, new Problem(isWrongMethod ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'));
  });
};

/**
 * Whether a visitor on this machine opened the store under another of its loopback names, such as 127.0.0.1 for localhost.
 * They could not sign in there: the callback comes to the public URL, which has other cookies. A program is no visitor: it
 * gets the page, as it asked.
 */
function isAtOtherLoopbackName({ host, url, headers }: FastifyRequest, publicUrl: URL): boolean {
  if (headers['sec-fetch-dest'] !== 'document') return false;
  const address = `${publicUrl.protocol}//${host}`;
  if (!isLoopback(publicUrl.hostname) || !URL.canParse(address) || !url.startsWith('/')) return false;
  const { hostname, port } = new URL(address);
  return isLoopback(hostname) && hostname !== publicUrl.hostname && port === publicUrl.port;
}

/** The origin of the API, unless it is that of the page. */
const apiOrigins = ({ apiHost }: StoreConfig): string[] => (apiHost === '' ? [] : [apiHost]);

/** The origin that images are uploaded to, unless it is that of the page. */
const imageHostOrigins = ({ imageHost }: StoreConfig): string[] =>
  URL.canParse(imageHost.url) ? [new URL(imageHost.url).origin] : [];

const configBlock = /(<script type="application\/json" id="store-config">)[^<]*(<\/script>)/;

/** Writes the configuration and the store's name into the built page. @throws when it has no block for them. */
function renderPage(html: string, config: StoreConfig): string {
  if (!configBlock.test(html)) throw new Error('the built page has no block with the id "store-config"');
  // A "<" could begin `</script>`, which ends the element.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return html
    .replace(configBlock, (_all, start: string, end: string) => start + json + end)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(config.name)}</title>`);
}
