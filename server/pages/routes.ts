import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { deskScreens } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import type { Db } from '../database/tables.ts';
import { cachedForAYear } from '../http/cache-control.ts';
import { sendProblem } from '../http/error-handler.ts';
import { pagePolicy } from '../http/headers.ts';
import { isLoopback } from '../http/loopback.ts';
import { wantsPage } from '../http/problem-page.ts';
import { Problem } from '../http/problems.ts';
import { addToVary, matchesEtag } from '../http/response-cache.ts';
import { routedPath } from '../http/routed-path.ts';
import { findBookOfPage } from './book-of-page.ts';
import { type PageContent, pageTemplate } from './page-template.ts';
import {
  bookContent,
  checkoutContent,
  deskContent,
  footOf,
  homeContent,
  missingContent,
  plainContent,
  unnamedBookContent,
  unnamedCheckoutContent,
  type WithdrawalTerms,
  withdrawalContent,
} from './screen-contents.ts';

export type PagesParts = {
  db: Db;
  /** The folder of the built browser app. */
  folder: string;
  /** In development: the files are built again while the store runs, so they are read for each request. */
  isRebuilt: boolean;
  /** How long a page waits for its book, in milliseconds. */
  bookWaitMs?: number;
  storeConfig: StoreConfig;
  /** The address at which browsers open the store. */
  publicUrl: URL;
  /** The places that images may come from besides the store: origins, or `https:`. */
  imageOrigins: readonly string[];
  withdrawal: WithdrawalTerms;
};

/** A hundred times what the query takes, and less than a visitor waits for a page. */
const defaultBookWaitMs = 1_000;

/** The built files, `index.html` for all screens of the shop and `desk.html` for those of the desk. */
const appPages = { shop: 'index.html', desk: 'desk.html' } as const;

/** The built browser app: its HTML pages, whose heads describe the screen that they were opened for; and its files. */
export const pageRoutes: FastifyPluginAsync<PagesParts> = async (
  app,
  { db, folder, isRebuilt, bookWaitMs = defaultBookWaitMs, storeConfig, publicUrl, imageOrigins, withdrawal },
) => {
  const readTemplate = (file: string) =>
    pageTemplate(readFileSync(join(folder, file), 'utf8'), storeConfig, footOf(withdrawal));
  const readTemplates = () => ({ shop: readTemplate(appPages.shop), desk: readTemplate(appPages.desk) });
  let templates = readTemplates();
  const store = {
    name: storeConfig.name,
    publicUrl,
    imageOrigin: storeConfig.apiHost || publicUrl.origin,
  };
  const notFound = missingContent(store);
  const headersOf = (page: keyof typeof appPages) => ({
    ...pagePolicy({
      connect: [...new Set([...apiOrigins(storeConfig), ...imageHostOrigins(storeConfig)])],
      // The store's own images are on the origin of the API.
      images: [...apiOrigins(storeConfig), ...imageOrigins],
      // It reads ISBNs.
      hasCamera: page === 'desk',
    }),
    'content-type': 'text/html; charset=utf-8',
    // The page names the files of one build, and that of a book its price: a cached page may have neither any more.
    'cache-control': 'no-cache',
  });
  const headers = { shop: headersOf('shop'), desk: headersOf('desk') };
  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    content: PageContent,
    { status = 200, of = 'shop' }: { status?: 200 | 404 | 405; of?: keyof typeof appPages } = {},
  ) => {
    if (isRebuilt) templates = readTemplates();
    const html = templates[of](content);
    const etag = `"${hash('sha256', html, 'base64url').slice(0, 27)}"`;
    reply.headers(headers[of]).header('etag', etag);
    if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.code(status).send(html);
  };

  // The page and its files contain no customer's data: the app fetches that from guarded routes.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
    route.schema = { ...route.schema, hide: true };
  });

  const redirectToPublicUrl = (request: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').redirect(publicUrl.origin + request.url);

  const contents = {
    [screens.home]: homeContent(store),
    [screens.homeAlias]: homeContent(store),
    [screens.login]: plainContent(store, 'Login'),
    [screens.orders]: plainContent(store, 'Orders'),
    [screens.admin]: plainContent(store, 'Admin'),
    ...(withdrawal.days > 0 && { [withdrawalPaths.page]: withdrawalContent(store, withdrawal) }),
  };
  for (const [address, content] of Object.entries(contents)) {
    app.get(address, (request, reply) => {
      if (isAtOtherLoopbackName(request, publicUrl)) return redirectToPublicUrl(request, reply);
      return sendPage(request, reply, content);
    });
  }

  const desk = deskContent(store);
  for (const address of deskScreens) {
    app.get(address, (request, reply) => {
      if (isAtOtherLoopbackName(request, publicUrl)) return redirectToPublicUrl(request, reply);
      return sendPage(request, reply, desk, { of: 'desk' });
    });
  }

  const bookPages = [
    { screen: screens.book, content: bookContent, unnamed: unnamedBookContent(store) },
    { screen: screens.checkout, content: checkoutContent, unnamed: unnamedCheckoutContent(store) },
  ];
  for (const { screen, content, unnamed } of bookPages) {
    app.get<{ Params: { id: string } }>(screen.pattern, async (request, reply) => {
      if (isAtOtherLoopbackName(request, publicUrl)) return redirectToPublicUrl(request, reply);
      const book = await findBookOfPage(db, request.params.id, {
        maxWaitMs: bookWaitMs,
        log: request.log,
      });
      if (book === 'none') return reply.callNotFound();
      return sendPage(request, reply, book === 'unknown' ? unnamed : content(store, book));
    });
  }

  await app.register(staticFiles, {
    root: folder,
    wildcard: isRebuilt,
    index: false,
    preCompressed: true,
    decorateReply: false,
    globIgnore: [...Object.values(appPages), '.vite/**', '**/*.{gz,br}'],
    setHeaders: (reply, path) => {
      const isNamedByContent = path.startsWith(join(folder, 'assets') + sep);
      reply.header('cache-control', isNamedByContent ? cachedForAYear : 'no-cache');
    },
  });

  let methodsOf: AllowedMethods;
  app.addHook('onReady', async () => {
    methodsOf = allowedMethods(Object.keys(app.declaredAccess));
  });

  /** A browser that opens a page gets the app's not-found screen; any other request gets a problem. */
  app.setNotFoundHandler((request, reply) => {
    const path = routedPath(request.url);
    const methods = methodsOf(path);
    // A route may allow the method and still be here: its file of the build was deleted.
    const isWrongMethod = methods.length > 0 && !methods.includes(request.method);
    // Required with a 405 (RFC 9110, section 15.5.6).
    if (isWrongMethod) reply.header('allow', methods.join(', '));
    addToVary(reply, 'accept');
    if (wantsPage(request) && !path.startsWith('/assets/'))
      return sendPage(request, reply, notFound, { status: isWrongMethod ? 405 : 404 });
    return sendProblem(request, reply, new Problem(isWrongMethod ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'));
  });
};

/**
 * @returns true if a visitor on this machine opened the store under another of its loopback names, such as 127.0.0.1 for
 * localhost. They could not sign in there: the callback comes to the public URL, which has other cookies. A program is no
 * visitor: it gets the page, as it asked.
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

/** @returns the methods that the routes of a path accept; empty for a path without a route. */
type AllowedMethods = (path: string) => string[];

/** For `Allow` (RFC 9110, section 15.5.6). @param routes each as method and pattern, such as `GET /book/:id`. */
function allowedMethods(routes: readonly string[]): AllowedMethods {
  const patterns = routes.map((route) => {
    const [method = '', pattern = ''] = route.split(' ');
    return { method, parts: pattern.split('/') };
  });
  return (path) => {
    const segments = path.split('/');
    const isMatch = (part: string, index: number) =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index];
    const matches = ({ parts }: { parts: string[] }) =>
      parts.length === segments.length && parts.every(isMatch);
    return patterns.filter(matches).map(({ method }) => method);
  };
}
