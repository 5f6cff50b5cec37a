import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import * as Part from '../../contract/schema-parts.ts';
import { newestBooks } from '../catalogue/newest-books.ts';
import { listSitemapParts, readSitemapPart } from '../catalogue/sitemap-books.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { feedType, renderFeed } from './feed.ts';
import { manifestOf } from './manifest.ts';
import { robotsText } from './robots.ts';
import type { StoreOnPages } from './screen-contents.ts';
import { renderBooksSitemap, renderPagesSitemap, renderSitemapIndex, sitemapPartIn } from './sitemap.ts';

type CrawlerParts = {
  db: Db;
  /** The handle for lists: a sitemap may wait for searches, and searches for it. */
  listDb: Db;
  responseCache: ResponseCache;
  store: StoreOnPages;
};

const xml = 'application/xml; charset=utf-8';
const xmlResponse = { content: { 'application/xml': { schema: Type.String() } } };

/** Enough for a reader who was away for some weeks. */
const booksInFeed = 50;

/** Files for programs that know no screen of the store: crawlers, feed readers, and browsers that put it on a home screen. */
export const crawlerRoutes: FastifyPluginAsyncTypebox<CrawlerParts> = async (
  app,
  { db, listDb, responseCache, store },
) => {
  const { publicUrl, name } = store;
  app.get(
    paths.robots,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'readRobots',
        tags: ['pages'],
        summary: 'What crawlers may read (RFC 9309)',
        description: 'It names the sitemap, and the addresses that are no pages.',
        response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(robotsText(publicUrl)),
  );

  app.get(
    paths.manifest,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'readManifest',
        tags: ['pages'],
        summary: 'The name and the icons of the store, for a home screen',
        description: 'A web application manifest (W3C).',
        response: { 200: { content: { 'application/manifest+json': { schema: Type.Any() } } } },
      },
    },
    async (_request, reply) =>
      reply
        .type('application/manifest+json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(JSON.stringify(manifestOf(name))),
  );

  app.get(
    paths.sitemap,
    {
      config: { access: 'public', limit: 'sitemaps' },
      schema: {
        operationId: 'listSitemaps',
        tags: ['pages'],
        summary: 'The sitemaps of all books, for crawlers',
        description: 'A sitemap index (sitemaps.org).',
        response: { 200: xmlResponse, ...problemResponses(429) },
      },
    },
    async (request, reply) => {
      const key = keyWithoutQuery(request, paths.sitemap);
      await responseCache.send(request, reply, { key, isCompressed: true }, async () => ({
        text: renderSitemapIndex(['pages', ...(await listSitemapParts(listDb))], publicUrl),
        type: xml,
      }));
      return reply;
    },
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
        response: { 200: xmlResponse, ...problemResponses(400, 'NOT_FOUND', 429) },
      },
    },
    async (request, reply) => {
      const part = sitemapPartIn(request.params.file);
      if (part === undefined) throw new Problem('NOT_FOUND');
      // Not stored: those of a million books have 120 MB.
      await responseCache.send(request, reply, { key: undefined, isCompressed: true }, async () => {
        if (part === 'pages') return { text: renderPagesSitemap(publicUrl), type: xml };
        const books = await readSitemapPart(listDb, part);
        if (books.length === 0) throw new Problem('NOT_FOUND');
        return { text: renderBooksSitemap(books, publicUrl), type: xml };
      });
      return reply;
    },
  );

  app.get(
    paths.feed,
    {
      config: { access: 'public', limit: 'sitemaps' },
      schema: {
        operationId: 'readFeed',
        tags: ['pages'],
        summary: 'The newest books for sale, for feed readers',
        description:
          'An Atom feed (RFC 4287) and OPDS 1.2 acquisition feed of at most 50 books, the newest first.',
        response: {
          200: { content: { [feedType]: { schema: Type.String() } } },
          ...problemResponses(429),
        },
      },
    },
    async (request, reply) => {
      const key = keyWithoutQuery(request, paths.feed);
      const policy = { key, isCompressed: true };
      await responseCache.send(request, reply, policy, async () => ({
        text: renderFeed(await newestBooks(db, booksInFeed).execute(), store),
        type: feedType,
      }));
      return reply;
    },
  );
};
