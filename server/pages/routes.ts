import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { BooksQuery } from '../../contract/book.ts';
import { deskScreens } from '../../contract/desk/paths.ts';
import { parsePattern, screenPatterns, screens } from '../../contract/paths.ts';
import { rendererFile } from '../../contract/rendered-page.ts';
import type { Front } from '../../contract/shop-front.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { bookResponse } from '../catalogue/book-response.ts';
import type { BookVersion } from '../catalogue/books.ts';
import { newestBooks } from '../catalogue/newest-books.ts';
import type { Db } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { frontLifetimeMs } from '../front-table/read-front.ts';
import { cachedForAYear, pagePolicy } from '../http/headers.ts';
import { isLoopback } from '../http/loopback.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import type { Settings } from '../settings/settings.ts';
import { findBookOfPage } from './book-of-page.ts';
import { answerNotFound } from './not-found.ts';
import { appPages, openPageSender } from './page-sender.ts';
import type { PageContent } from './page-template.ts';
import {
  bookContent,
  checkoutContent,
  deskContent,
  footOf,
  homeContent,
  loginContent,
  missingContent,
  type StoreOnPages,
  sessionContent,
  unnamedBookContent,
  unnamedCheckoutContent,
  withBooks,
  withdrawalContent,
} from './screen-contents.ts';

export type PagesParts = {
  db: Db;
  responseCache: ResponseCache;
  /** Reads what the home screen shows above its list. */
  findFront: () => Promise<Front>;
  pages: {
    /** The folder of the built browser app. */
    folder: string;
    /** In development: the files are built again while the store runs, so they are read for each request. */
    isRebuilt: boolean;
    /** How long a page waits for its book, in milliseconds. */
    bookWaitMs?: number;
  };
  storeConfig: StoreConfig;
  store: StoreOnPages;
  settings: Pick<Settings, 'publicUrl' | 'imageOrigins' | 'withdrawalDays' | 'shopEmail'>;
};

/** A hundred times what the query takes, and less than a visitor waits for a page. */
const defaultBookWaitMs = 1_000;

type PageParams = { Params: { id: string } };
/** `id`: in the address of a page that is about a book. */
type PageRequest = FastifyRequest<PageParams>;

/** So many books does a reader without JavaScript find on the home screen. */
const booksWithoutScript = 24;

/** The built browser app: its HTML pages, whose heads describe the screen that they were opened for; and its files. */
export const pageRoutes: FastifyPluginAsync<PagesParts> = async (
  app,
  { db, responseCache, findFront, pages: built, storeConfig, store, settings },
) => {
  const { folder, isRebuilt, bookWaitMs = defaultBookWaitMs } = built;
  const { publicUrl, imageOrigins } = settings;
  const withdrawal = { days: settings.withdrawalDays, shopEmail: settings.shopEmail };
  const pages = openPageSender({
    folder,
    isRebuilt,
    storeConfig,
    foot: footOf(withdrawal),
    policyOf: (page) =>
      pagePolicy({
        connect: [...new Set([...apiOrigins(storeConfig), ...imageHostOrigins(storeConfig)])],
        // The store's own images are on the origin of the API.
        images: [...apiOrigins(storeConfig), ...imageOrigins],
        // It reads ISBNs.
        hasCamera: page === 'desk',
      }),
    responseCache,
    // Other names of this machine are redirected to the public one.
    isForStored: ({ headers }) => headers.host === publicUrl.host || !isLoopback(publicUrl.hostname),
    log: app.log,
  });

  // The page and its files contain no customer's data: the app fetches that from guarded routes.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
    route.schema = { ...route.schema, hide: true };
  });

  const pagePaths = [
    ...screenPatterns,
    ...deskScreens,
    ...(withdrawal.days > 0 ? [withdrawalPaths.page] : []),
  ].map((address) => parsePattern(address).pattern);
  // A page has one address. The browser's router knows no other spelling.
  app.addHook('onRequest', async (request, reply) => {
    const [path = '', ...query] = request.url.split(/(?=\?)/);
    const address = plainPath(path);
    if (address === path || !pagePaths.some((page) => page.test(address))) return;
    if (request.method === 'GET' || request.method === 'HEAD') {
      return reply.redirect(address + query.join(''), 301);
    }
  });

  const redirectToPublicUrl = (request: PageRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').redirect(publicUrl.origin + request.url);

  type SendPage = (request: PageRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;
  const addPage = (address: string, send: SendPage) =>
    app.get<PageParams>(address, (request, reply) =>
      isAtOtherLoopbackName(request, publicUrl) ? redirectToPublicUrl(request, reply) : send(request, reply),
    );

  const home = homeContent(store);
  for (const path of [screens.home, screens.homeAlias]) {
    addPage(path, async (request, reply) => {
      if (isSearch(request)) return await pages.sendPainted(request, reply, { content: home });
      const load = async () => {
        const [front, books] = await Promise.all([
          findFront(),
          newestBooks(db, booksWithoutScript).execute(),
        ]);
        return { content: withBooks(store, home, books), responses: { front } };
      };
      try {
        return await pages.sendStored(request, reply, { path, load, lifetimeMs: frontLifetimeMs });
      } catch (error) {
        // The app's own requests report an outage. Any other failure is a fault of the store.
        if (!isUnavailable(error)) request.log.error({ err: error }, 'the front of a page could not be read');
        return pages.send(request, reply, home);
      }
    });
  }

  const contents = {
    [screens.login]: loginContent(store),
    [screens.orders]: sessionContent(store, 'Orders'),
    [screens.admin]: sessionContent(store, 'Admin'),
  };
  for (const [path, content] of Object.entries(contents)) {
    addPage(path, async (request, reply) =>
      // The query says where the login leads to.
      keyWithoutQuery(request, path) === path
        ? await pages.sendStored(request, reply, { path, load: async () => ({ content }) })
        : await pages.sendPainted(request, reply, { content }),
    );
  }
  if (withdrawal.days > 0) {
    const content = withdrawalContent(store, withdrawal);
    addPage(withdrawalPaths.page, (request, reply) => pages.send(request, reply, content));
  }

  const desk = deskContent(store);
  for (const address of deskScreens) {
    const stored = { path: address, page: 'desk', load: async () => ({ content: desk }) } as const;
    addPage(address, (request, reply) => pages.sendStored(request, reply, stored));
  }

  /** @throws {NoBookOfPage} when there is none, or it could not be looked up in time. */
  const bookOfPage = async (id: string, { log }: PageRequest): Promise<BookVersion> => {
    const book = await findBookOfPage(db, id, { maxWaitMs: bookWaitMs, log });
    if (typeof book === 'string') throw new NoBookOfPage(book);
    return book;
  };
  const addBookPage = (
    { pattern }: { pattern: string },
    unnamed: PageContent,
    send: (id: string, request: PageRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    addPage(pattern, async (request, reply) => {
      try {
        return await send(request.params.id, request, reply);
      } catch (error) {
        if (!(error instanceof NoBookOfPage)) throw error;
        if (error.reason === 'unknown') return pages.send(request, reply, unnamed);
        reply.callNotFound();
        return reply;
      }
    });
  addBookPage(screens.book, unnamedBookContent(store), (id, request, reply) =>
    pages.sendStored(request, reply, {
      path: screens.book(id),
      load: async () => {
        const book = await bookOfPage(id, request);
        return {
          content: bookContent(store, book),
          responses: { book: JSON.parse(bookResponse(book).text) },
        };
      },
    }),
  );
  addBookPage(screens.checkout, unnamedCheckoutContent(store), async (id, request, reply) =>
    pages.sendPainted(request, reply, { content: checkoutContent(store, await bookOfPage(id, request)) }),
  );

  await app.register(staticFiles, {
    root: folder,
    wildcard: isRebuilt,
    index: false,
    preCompressed: true,
    decorateReply: false,
    globIgnore: [...Object.values(appPages), rendererFile, '.vite/**', '**/*.{gz,br}'],
    setHeaders: (reply, path) => {
      const isNamedByContent = path.startsWith(join(folder, 'assets') + sep);
      reply.header('cache-control', isNamedByContent ? cachedForAYear : 'no-cache');
    },
  });

  answerNotFound(app, pages, missingContent(store));
};

/** @returns a path without the slash at its end, and with each character that needs no percent-encoding as it is (RFC 3986, 6.2.2). */
const plainPath = (path: string): string =>
  path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code;
    })
    .replace(/(?<=.)\/$/, '');

/** A page has no book. `unknown`: it could not be looked up in time. */
class NoBookOfPage extends Error {
  readonly reason: 'none' | 'unknown';

  constructor(reason: 'none' | 'unknown') {
    super(`the book of the page: ${reason}`);
    this.reason = reason;
  }
}

/** The parameters of a search have the same names in the address of the home screen. */
const searchParameters: ReadonlySet<string> = new Set(Object.keys(BooksQuery.properties));

/** @returns true if the home screen may show what a search finds, and not the front of the shop. */
const isSearch = ({ url }: PageRequest): boolean =>
  [...new URLSearchParams(url.split('?', 2)[1]).keys()].some((name) => searchParameters.has(name));

/**
 * @returns true if a visitor on this machine opened the store under another of its loopback names, such as 127.0.0.1 for
 * localhost. They could not sign in there: the callback comes to the public URL, which has other cookies. A program is no
 * visitor: it gets the page, as it asked.
 */
function isAtOtherLoopbackName({ host, url, headers }: PageRequest, publicUrl: URL): boolean {
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
