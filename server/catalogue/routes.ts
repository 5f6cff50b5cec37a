import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { BookInStock, BookParams, BooksBeside, BooksQuery, ListedBook } from '../../contract/book.ts';
import { maxQueryLength } from '../../contract/book-search.ts';
import { nextPageLink } from '../../contract/next-page.ts';
import { paths } from '../../contract/paths.ts';
import * as Part from '../../contract/schema-parts.ts';
import { Suggestions } from '../../contract/suggestions.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import type { SoldCounts } from '../search/ranks.ts';
import { besideLifetimeMs, listBeside } from './beside.ts';
import { bookResponse } from './book-response.ts';
import { findBook } from './books.ts';
import { findBooks, presentPage } from './find-books.ts';
import { suggest } from './suggestions.ts';

type CatalogueParts = {
  db: Db;
  listDb: Db;
  responseCache: ResponseCache;
  soldCounts: () => Promise<SoldCounts>;
};

export const catalogueRoutes: FastifyPluginAsyncTypebox<CatalogueParts> = async (
  app,
  { db, listDb, responseCache, soldCounts },
) => {
  app.get(
    paths.books,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        ...described('catalogue', 'listBooks', 'Lists the books for sale'),
        description:
          'When more books may follow, `Link` names the next page. A page of a search may be short, or empty, although ' +
          'another one follows: the store reads a limited number of books for each.',
        querystring: BooksQuery,
        response: { 200: Type.Array(ListedBook), ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const key = keyWithoutQuery(request, paths.books);
      return await responseCache.send(request, reply, { key, isCompressed: true }, async () => {
        // The first page does not wait behind searches: every visit needs it, and an index yields it quickly.
        const found = key ? await findBooks(db, query) : await findBooks(listDb, query, await soldCounts());
        const { body, headers, next } = presentPage(query, found);
        reply.headers(headers);
        return { text: JSON.stringify(body), link: next && nextPageLink(paths.books, next, next.cursor) };
      });
    },
  );

  app.get(
    paths.book.pattern,
    {
      config: { access: 'public' },
      schema: {
        ...described('catalogue', 'findBook', 'Finds a book, for sale or sold out'),
        description:
          'The ETag names its version; with `If-None-Match` the response is 304 while nothing has changed.',
        params: BookParams,
        response: { 200: BookInStock, ...problemResponses(400, 'BOOK_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const key = keyWithoutQuery(request, paths.book(id));
      return await responseCache.send(request, reply, { key }, async () => {
        const book = await findBook(db, id);
        if (!book) throw new Problem('BOOK_NOT_FOUND');
        return bookResponse(book);
      });
    },
  );

  app.get(
    paths.beside.pattern,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        ...described('catalogue', 'listBooksBeside', 'Lists the books that the page of a book leads to'),
        description: 'At most twelve of each, all for sale. The book itself may be sold out.',
        params: BookParams,
        response: { 200: BooksBeside, ...problemResponses(400, 'BOOK_NOT_FOUND', 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const key = keyWithoutQuery(request, paths.beside(id));
      const policy = { key, isCompressed: true, lifetimeMs: besideLifetimeMs };
      return await responseCache.send(request, reply, policy, async () => {
        const beside = await listBeside(listDb, id);
        if (!beside) throw new Problem('BOOK_NOT_FOUND');
        return { text: JSON.stringify(beside) };
      });
    },
  );

  app.get(
    paths.suggest,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        ...described('catalogue', 'suggest', 'Suggests authors and books while a visitor types'),
        description: 'Misspelt words suggest what they mean; none suggest nothing.',
        querystring: Type.Object({
          q: Part.MaybeWords(maxQueryLength, 'What was typed so far; misspelt words are corrected.'),
        }),
        response: { 200: Suggestions, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const { q = '' } = request.query;
      // The response is not stored: clients could make up any number of words.
      const policy = { key: undefined, isCompressed: true };
      return await responseCache.send(request, reply, policy, async () => ({
        text: JSON.stringify(await suggest(listDb, q, await soldCounts())),
      }));
    },
  );
};
