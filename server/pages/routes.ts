import { join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { BookInStock, BooksQuery } from '../../contract/book.ts';
import { parametersOf, searchIn, slugPattern } from '../../contract/book-search.ts';
import { deskScreens } from '../../contract/desk/paths.ts';
import { isStorableText } from '../../contract/field-formats.ts';
import { parsePattern, paths, screenPatterns, screens, withFilters } from '../../contract/paths.ts';
import { type PageResponses, rendererFile } from '../../contract/rendered-page.ts';
import type { Front } from '../../contract/shop-front.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { besideLifetimeMs, listBeside } from '../catalogue/beside.ts';
import { bookResponse } from '../catalogue/book-response.ts';
import { type BookVersion, findBook } from '../catalogue/books.ts';
import { findBooks, presentPage } from '../catalogue/find-books.ts';
import type { Db } from '../database/tables.ts';
import { frontLifetimeMs } from '../front-table/read-front.ts';
import { asProblem } from '../http/error-handler.ts';
import { cachedForAYear } from '../http/headers.ts';
import { isLoopback } from '../http/loopback.ts';
import { Problem } from '../http/problems.ts';
import { keyWithoutQuery } from '../http/response-cache.ts';
import type { SoldCounts } from '../search/ranks.ts';
import { slugOf } from '../search/search-text.ts';
import { findPage } from '../shop-pages/shop-pages.ts';
import { listWays, presentWay } from '../ways/ways.ts';
import { answerNotFound } from './not-found.ts';
import { appPages, openPageSender, type SenderParts } from './page-sender.ts';
import type { PageContent } from './page-template.ts';
import * as contents from './screen-contents.ts';
import type { StoreOnPages } from './store-on-pages.ts';

export type PagesParts = SenderParts & {
  listDb: Db;
  findFront: () => Promise<Front>;
  soldCounts: () => Promise<SoldCounts>;
  store: StoreOnPages;
};

/** A page whose search takes longer is sent without its list, for which the app then asks. */
const searchLimitMs = 500;

type PageRequest = FastifyRequest<{ Params: { id: string } }>;
type HandlePage = (request: PageRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** The built browser app: its HTML pages, whose heads describe the screen that they were opened for; and its files. */
export const pageRoutes: FastifyPluginAsync<PagesParts> = async (app, parts) => {
  const { db, listDb, findFront, soldCounts, store, settings } = parts;
  const { folder, isRebuilt } = parts.pages;
  const { publicUrl, withdrawalDays: days, shopEmail } = settings;
  const sendPage = openPageSender(parts, app.log);

  // The page and its files contain no customer's data: the app fetches that from guarded routes.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
    route.schema = { ...route.schema, hide: true };
  });

  const withdrawal = days > 0 ? [withdrawalPaths.page] : [];
  const addresses = [...screenPatterns, ...deskScreens, ...withdrawal, paths.shopPage.pattern].map(
    (address) => parsePattern(address).pattern,
  );
  // A page has one address: the browser's router knows no other spelling.
  app.addHook('onRequest', async (request, reply) => {
    const [path = '', ...query] = request.url.split(/(?=\?)/);
    const address = plainPath(path);
    if (address === path || !addresses.some((page) => page.test(address))) return;
    if (request.method === 'GET' || request.method === 'HEAD') {
      return reply.redirect(address + query.join(''), 301);
    }
  });

  const addPage = (address: string, send: HandlePage) =>
    app.get<{ Params: { id: string } }>(address, { config: { limit: 'pages' } }, (request, reply) =>
      isAtOtherLoopbackName(request, publicUrl)
        ? reply.header('cache-control', 'no-store').redirect(publicUrl.origin + request.url)
        : send(request, reply),
    );
  /** Adds a page that is sent without its screen if the database is down or busy, or refuses the search: the app's own requests report that. */
  const addLoadedPage = (address: string, unloaded: PageContent, send: HandlePage) =>
    addPage(address, async (request, reply) => {
      try {
        return await send(request, reply);
      } catch (error) {
        const { status } = asProblem(error as Error);
        if (status === 404) {
          reply.callNotFound();
          return reply;
        }
        if (status === 500) request.log.error({ err: error }, 'a page could not be loaded');
        return sendPage(request, reply, () => ({ content: { body: '', ...unloaded } }));
      }
    });

  /** Reads the first page of a list as the app does. */
  const readList = async (query: Omit<BooksQuery, 'limit'>, sold?: SoldCounts) => {
    const { name, next, ...page } = presentPage(query, await findBooks(listDb, query, sold));
    const [first, ...more] = page.body;
    // A single book stands with its description, and leads to others.
    const book = first && more.length === 0 && !next ? await findBook(db, first._id) : undefined;
    const one = book && { book: bodyOf(book), beside: await listBeside(listDb, book.id) };
    const list = {
      ...{ address: withFilters(paths.books, query), ...page },
      next: next && withFilters(paths.books, next),
    };
    const responses: PageResponses = { list, ...one };
    return { name, responses };
  };

  const home = contents.home(store);
  for (const path of [screens.home, screens.homeAlias]) {
    addLoadedPage(path, home, async (request, reply) => {
      const query = parametersOf(searchIn(new URLSearchParams(request.url.split('?', 2)[1])));
      if (Object.keys(query).length > 0) {
        const read = async () => ({
          ...{ front: await findFront(), ...(await readList(query, await soldCounts())).responses },
        });
        const responses = await Promise.race([read(), wait(searchLimitMs, undefined, { ref: false })]);
        if (!responses) throw new Problem('BUSY');
        return sendPage(request, reply, () => ({ content: home, responses }));
      }
      const load = async () => ({ content: home, responses: { front: await findFront() } });
      return sendPage(request, reply, load, { path, lifetimeMs: frontLifetimeMs });
    });
  }

  const withoutData = {
    [screens.login]: contents.screen('Login'),
    [screens.orders]: contents.session('Orders'),
    [screens.admin]: contents.session('Admin'),
  };
  for (const [path, content] of Object.entries(withoutData)) {
    addPage(path, (request, reply) =>
      // The query says where the login leads.
      sendPage(request, reply, () => ({ content }), { path: keyWithoutQuery(request, path) }),
    );
  }
  // The page contains no order data: the app asks for it as the buyer.
  const order = contents.session('Order', false);
  addPage(screens.order.pattern, (request, reply) => sendPage(request, reply, () => ({ content: order })));
  const desk = contents.session('Desk', false);
  for (const path of deskScreens) {
    const options = { path, page: 'desk' } as const;
    addPage(path, (request, reply) => sendPage(request, reply, () => ({ content: desk }), options));
  }
  for (const path of withdrawal) {
    const content = contents.withdrawal(store, days, shopEmail);
    addPage(path, (request, reply) => sendPage(request, reply, () => ({ content })));
  }

  addLoadedPage(paths.shopPage.pattern, contents.unread, (request, reply) => {
    const { id: slug } = request.params;
    const load = async () => {
      if (!isStorableText(slug)) throw new Problem('PAGE_NOT_FOUND');
      return { content: contents.shopPage(store, await findPage(db, slug)) };
    };
    return sendPage(request, reply, load, { path: paths.shopPage(slug) });
  });

  const bookOf = async ({ params: { id } }: PageRequest): Promise<BookVersion> => {
    const book = isStorableText(id) ? await findBook(db, id) : undefined;
    if (!book) throw new Problem('BOOK_NOT_FOUND');
    return book;
  };
  addLoadedPage(screens.book.pattern, contents.screen(store.name), (request, reply) => {
    const load = async () => {
      const book = await bookOf(request);
      const ways = await listWays(db);
      const responses = { book: bodyOf(book), ways: ways.map(presentWay) };
      return { content: contents.book(store, book, { ways, withdrawalDays: days }), responses };
    };
    return sendPage(request, reply, load, { path: screens.book(request.params.id) });
  });
  for (const kind of ['author', 'series'] as const) {
    addLoadedPage(screens[kind].pattern, contents.screen(store.name), (request, reply) => {
      const { id: slug } = request.params;
      const path = screens[kind](slug);
      const load = async () => {
        if (!new RegExp(slugPattern).test(slug)) throw new Problem('NOT_FOUND');
        const { name, responses } = await readList({ [kind]: slug });
        if (name === undefined) throw new Problem('NOT_FOUND');
        // A series has one canonical address, with its article.
        return { content: contents.list(store, screens[kind](slugOf(name)), name), responses };
      };
      return sendPage(request, reply, load, { path, lifetimeMs: besideLifetimeMs });
    });
  }
  addLoadedPage(screens.checkout.pattern, contents.screen('Check Out', false), async (request, reply) => {
    const content = contents.checkout(store, await bookOf(request));
    return sendPage(request, reply, () => ({ content }));
  });

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

  answerNotFound(app, sendPage, contents.screen('Not found', false));
};

const bodyOf = (book: BookVersion): BookInStock => JSON.parse(bookResponse(book).text);

/** @returns a path without a slash at its end, and without unneeded percent-encoding (RFC 3986, 6.2.2). */
const plainPath = (path: string): string =>
  path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code;
    })
    .replace(/(?<=.)\/$/, '');

/**
 * Redirects a visitor on this machine who opened the store under another loopback name: a sign-in there would fail, because its callback
 * goes to the public URL, which has other cookies. Programs are not redirected.
 */
function isAtOtherLoopbackName({ host, url, headers }: PageRequest, publicUrl: URL): boolean {
  if (headers['sec-fetch-dest'] !== 'document') return false;
  const address = `${publicUrl.protocol}//${host}`;
  if (!isLoopback(publicUrl.hostname) || !URL.canParse(address) || !url.startsWith('/')) return false;
  const { hostname, port } = new URL(address);
  return isLoopback(hostname) && hostname !== publicUrl.hostname && port === publicUrl.port;
}
