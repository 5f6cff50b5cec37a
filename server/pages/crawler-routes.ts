/** Files for programs that know no screen of the store: crawlers, feed readers, and browsers that put it on a home screen. */

import type { FastifyPluginAsync } from 'fastify';
import { type TObject, Type } from 'typebox';
import { paths, screens } from '../../contract/paths.ts';
import * as Part from '../../contract/schema-parts.ts';
import { newestBooks } from '../catalogue/newest-books.ts';
import { listSitemapParts, readSitemapPart } from '../catalogue/sitemap-books.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { described, problemResponses, textResponse } from '../http/route-schemas.ts';
import { listPages } from '../shop-pages/shop-pages.ts';
import { feedType, renderFeed } from './feed.ts';
import { pagesFile, partIn, renderBooksSitemap, renderPagesSitemap, renderSitemapIndex } from './sitemap.ts';
import type { StoreOnPages } from './store-on-pages.ts';

/** `listDb`: the handle for long reads, because sitemaps and searches may wait for each other. */
type CrawlerParts = { db: Db; listDb: Db; responseCache: ResponseCache; store: StoreOnPages };

/** `params`: for files of which there are several. */
type File = ReturnType<typeof described> & {
  description: string;
  type: string;
  params?: TObject;
  load(file: string): string | Promise<string>;
};

/** The feed's length suits a reader who was away for some weeks. */
const booksInFeed = 50;

const xml = 'application/xml; charset=utf-8';

export const crawlerRoutes: FastifyPluginAsync<CrawlerParts> = async (app, parts) => {
  const { db, listDb, responseCache, store } = parts;
  const { publicUrl, name } = store;
  const addFile = (path: string, { type, load, ...schema }: File) => {
    const problems = problemResponses(...(schema.params ? ([400, 'NOT_FOUND'] as const) : []), 429);
    app.get<{ Params: { file: string } }>(
      path,
      {
        config: { access: 'public', limit: 'sitemaps' },
        schema: {
          ...schema,
          response: { 200: textResponse(type.replace('; charset=utf-8', '')), ...problems },
        },
      },
      async (request, reply) => {
        // Sitemaps of books are not cached: those of a million books have 120 MB.
        const key = schema.params ? undefined : keyWithoutQuery(request, path);
        return await responseCache.send(request, reply, { key, isCompressed: true }, async () => ({
          text: await load(request.params.file),
          type,
        }));
      },
    );
  };

  addFile(paths.robots, {
    ...described('pages', 'readRobots', 'What crawlers may read (RFC 9309)'),
    description: 'It names the sitemap, and the addresses that are no pages.',
    type: 'text/plain; charset=utf-8',
    load: () => robotsText(publicUrl),
  });
  addFile(paths.manifest, {
    ...described('pages', 'readManifest', 'The name and the icons of the store, for a home screen'),
    description: 'A web application manifest (W3C).',
    type: 'application/manifest+json; charset=utf-8',
    load: () => JSON.stringify(manifestOf(name)),
  });
  addFile(paths.feed, {
    ...described('pages', 'readFeed', 'The newest books for sale, for feed readers'),
    description:
      'An Atom feed (RFC 4287) and OPDS 1.2 acquisition feed of at most 50 books, the newest first.',
    type: feedType,
    load: async () => renderFeed(await newestBooks(db, booksInFeed).execute(), store),
  });
  addFile(paths.sitemap, {
    ...described('pages', 'listSitemaps', 'The sitemaps of all books, for crawlers'),
    description: 'A sitemap index (sitemaps.org).',
    type: xml,
    load: async () => renderSitemapIndex(await listSitemapParts(listDb), publicUrl),
  });
  addFile(paths.sitemapPart.pattern, {
    ...described('pages', 'readSitemap', 'The addresses of some of the books'),
    description: 'A sitemap (sitemaps.org).',
    params: Type.Object({ file: Part.Id('As the index names it: pages.xml, or books-{number}.xml.') }),
    type: xml,
    load: async (file) => {
      if (file === pagesFile) return renderPagesSitemap(await listPages(listDb), publicUrl);
      const books = await readSitemapPart(listDb, partIn(file));
      if (books.length === 0) throw new Problem('NOT_FOUND');
      return renderBooksSitemap(books, publicUrl);
    },
  });
};

/** Prefixes of addresses that are useless to crawlers. Screens are not among them: crawlers run the app. */
const withoutPages: readonly string[] = [
  ...[paths.addOrder, paths.allOrder(''), paths.addBook, paths.deleteBook(''), paths.restoreBook('')],
  ...[paths.signIn, paths.signInCallback, paths.signOut, paths.backchannelLogout, paths.upload],
  ...[paths.health, paths.readiness, paths.metrics, paths.openApi],
  // The home screen shows the first page of books. There are endlessly many searches and later pages.
  `${paths.books}?`,
];

const robotsText = (publicUrl: URL): string =>
  [
    'User-agent: *',
    ...withoutPages.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL(paths.sitemap, publicUrl).href}`,
    '',
  ].join('\n');

const iconOf = (name: string, size: number, purpose = 'any') => ({
  ...{ src: `/${name}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose },
});

export const manifestOf = (storeName: string) => ({
  name: storeName,
  short_name: storeName,
  lang: 'en',
  start_url: screens.home,
  scope: '/',
  // With its own window, some systems would open the sign-in popup in another browser, which has other cookies.
  display: 'browser',
  // The colours `--paper` and `--primary` of web/styles/tokens.css.
  background_color: '#faf9f6',
  theme_color: '#7a1f2b',
  icons: [iconOf('icon-192', 192), iconOf('icon-512', 512), iconOf('icon-maskable-512', 512, 'maskable')],
});
