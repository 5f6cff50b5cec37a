/** Files for programs that know no screen of the store: crawlers, feed readers, and browsers that put it on a home screen. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths, screens } from '../../contract/paths.ts';
import * as Part from '../../contract/schema-parts.ts';
import { newestBooks } from '../catalogue/newest-books.ts';
import { listSitemapParts, readSitemapPart } from '../catalogue/sitemap-books.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { listPages } from '../shop-pages/shop-pages.ts';
import { feedType, renderFeed } from './feed.ts';
import { renderBooksSitemap, renderPagesSitemap, renderSitemapIndex, sitemapPartIn } from './sitemap.ts';
import type { StoreOnPages } from './store-on-pages.ts';

/** `listDb`: the handle for long reads, because sitemaps and searches may wait for each other. */
type CrawlerParts = { db: Db; listDb: Db; responseCache: ResponseCache; store: StoreOnPages };

/** The feed's length suits a reader who was away for some weeks. */
const booksInFeed = 50;

const xml = 'application/xml; charset=utf-8';

export const crawlerRoutes: FastifyPluginAsyncTypebox<CrawlerParts> = async (
  app,
  { db, listDb, responseCache, store },
) => {
  const { publicUrl, name } = store;
  type File = { operationId: string; summary: string; description: string; type: string };
  const addFile = (path: string, { type, ...described }: File, render: () => string | Promise<string>) =>
    app.get(
      path,
      {
        config: { access: 'public', limit: 'sitemaps' },
        schema: { ...described, tags: ['pages'], response: { 200: fileOf(type), ...problemResponses(429) } },
      },
      async (request, reply) => {
        const policy = { key: keyWithoutQuery(request, path), isCompressed: true };
        await responseCache.send(request, reply, policy, async () => ({ text: await render(), type }));
        return reply;
      },
    );

  addFile(
    paths.robots,
    {
      operationId: 'readRobots',
      summary: 'What crawlers may read (RFC 9309)',
      description: 'It names the sitemap, and the addresses that are no pages.',
      type: 'text/plain; charset=utf-8',
    },
    () => robotsText(publicUrl),
  );
  addFile(
    paths.manifest,
    {
      operationId: 'readManifest',
      summary: 'The name and the icons of the store, for a home screen',
      description: 'A web application manifest (W3C).',
      type: 'application/manifest+json; charset=utf-8',
    },
    () => JSON.stringify(manifestOf(name)),
  );
  addFile(
    paths.feed,
    {
      operationId: 'readFeed',
      summary: 'The newest books for sale, for feed readers',
      description:
        'An Atom feed (RFC 4287) and OPDS 1.2 acquisition feed of at most 50 books, the newest first.',
      type: feedType,
    },
    async () => renderFeed(await newestBooks(db, booksInFeed).execute(), store),
  );
  addFile(
    paths.sitemap,
    {
      operationId: 'listSitemaps',
      summary: 'The sitemaps of all books, for crawlers',
      description: 'A sitemap index (sitemaps.org).',
      type: xml,
    },
    async () => renderSitemapIndex(['pages', ...(await listSitemapParts(listDb))], publicUrl),
  );

  app.get(
    paths.sitemapPart.pattern,
    {
      config: { access: 'public', limit: 'sitemaps' },
      schema: {
        operationId: 'readSitemap',
        tags: ['pages'],
        summary: 'The addresses of some of the books',
        description: 'A sitemap (sitemaps.org).',
        params: Type.Object({
          file: Part.Id('As the index names it: pages.xml, or books-{number}.xml.'),
        }),
        response: { 200: fileOf(xml), ...problemResponses(400, 'NOT_FOUND', 429) },
      },
    },
    async (request, reply) => {
      const part = sitemapPartIn(request.params.file);
      if (part === undefined) throw new Problem('NOT_FOUND');
      // Sitemaps are not cached: those of a million books have 120 MB.
      await responseCache.send(request, reply, { key: undefined, isCompressed: true }, async () => {
        if (part === 'pages') {
          const slugs = (await listPages(listDb)).map(({ slug }) => slug);
          return { text: renderPagesSitemap(slugs, publicUrl), type: xml };
        }
        const books = await readSitemapPart(listDb, part);
        if (books.length === 0) throw new Problem('NOT_FOUND');
        return { text: renderBooksSitemap(books, publicUrl), type: xml };
      });
      return reply;
    },
  );
};

const fileOf = (type: string) => ({
  content: { [type.replace('; charset=utf-8', '')]: { schema: Type.String() } },
});

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
