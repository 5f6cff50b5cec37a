import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Book, BookParams, BooksQuery, DeletedBook, NewBook } from '../../contract/book.ts';
import { correctedQueryHeader, similarWordsHeader } from '../../contract/book-search.ts';
import { IdempotencyHeaders } from '../../contract/idempotency-key.ts';
import { imageIdIn, normalizeBookImage } from '../../contract/image-address.ts';
import { amountToCents } from '../../contract/money.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import { paths } from '../../contract/paths.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { renewImage } from '../images/images.ts';
import { addBook, type BookDetails, findBook, presentBook, removeBook, restoreBook } from './books.ts';
import { checkImageOrigin } from './image-origins.ts';
import { findBooks } from './search.ts';
import { readQuery } from './search-text.ts';

export type CatalogueParts = {
  db: Db;
  listDb: Db;
  catalogueVersion: CatalogueVersion;
  responseCache: ResponseCache;
  /** The store's own origin, such as `https://shop.example`. */
  storeOrigin: string;
  /** Where images may come from besides the store: origins, or `https:`. */
  imageOrigins: readonly string[];
};

/** The catalogue's routes (spec section 7), and `POST /restoreBook/{id}`. */
export const catalogueRoutes: FastifyPluginAsyncTypebox<CatalogueParts> = async (
  app,
  { db, listDb, catalogueVersion, responseCache, storeOrigin, imageOrigins },
) => {
  app.get(
    paths.books,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        operationId: 'listBooks',
        tags: ['catalogue'],
        summary: 'Lists the books for sale',
        description:
          'When more books may follow, `Link` names the next page. A page of a search may be short, or empty, although ' +
          'another one follows: the store reads a limited number of books for each.',
        querystring: BooksQuery,
        response: { 200: Type.Array(Book), ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const isFirstPage = isPlainList(query);
      const key = isFirstPage ? paths.books : undefined;
      const policy = { key, isCompressed: true, staleIfUnavailable: isFirstPage };
      await responseCache.send(request, reply, policy, async () => {
        // Sent as bytes, here and below, so the response schema removes no field. A test checks the fields.
        // Every visit needs the first page, and an index yields it: it must not wait for searches.
        const { books, nextCursor, correctedTo, similarWords } = await findBooks(
          isFirstPage ? db : listDb,
          query,
        );
        if (correctedTo !== undefined) reply.header(correctedQueryHeader, encodeURIComponent(correctedTo));
        if (similarWords?.length)
          reply.header(similarWordsHeader, encodeURIComponent(similarWords.join(' ')));
        const nextQuery = correctedTo === undefined ? query : { ...query, q: correctedTo };
        const link = nextCursor && nextPageLink(paths.books, isFirstPage ? {} : nextQuery, nextCursor);
        return { text: JSON.stringify(books.map(presentBook)), link };
      });
      return reply;
    },
  );

  app.get(
    paths.book.pattern,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'findBook',
        tags: ['catalogue'],
        summary: 'Finds a book for sale',
        params: BookParams,
        response: { 200: Book, ...problemResponses(400, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      // An address with a query is not stored: a client could make up any number of them.
      const key = request.url === paths.book(id) ? request.url : undefined;
      await responseCache.send(request, reply, { key }, async () => {
        const book = await findBook(db, id);
        if (!book) throw new Problem('BOOK_NOT_FOUND');
        return { text: JSON.stringify(presentBook(book)) };
      });
      return reply;
    },
  );

  app.post(
    paths.addBook,
    {
      config: { access: 'admin', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'addBook',
        tags: ['catalogue'],
        summary: 'Adds a book',
        headers: IdempotencyHeaders,
        body: NewBook,
        response: { 201: Book, ...problemResponses(400, 401, 403, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      const details = toBookDetails(request.body, storeOrigin);
      checkImageOrigin(details.image, imageOrigins);
      const imageId = imageIdIn(details.image);
      if (imageId && !(await renewImage(db, imageId))) {
        throw fieldProblem('image', 'The store does not have this image. Upload it again.');
      }
      const key = request.headers['idempotency-key'];
      const book = await addBook(db, details, actorOf(request), key);
      catalogueVersion.recordLocalChange();
      reply.code(201).header('location', paths.book(book.id));
      return presentBook(book);
    },
  );

  app.delete(
    paths.deleteBook.pattern,
    {
      config: { access: 'admin', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'deleteBook',
        tags: ['catalogue'],
        summary: 'Removes a book from sale',
        params: BookParams,
        response: { 200: DeletedBook, ...problemResponses(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await removeBook(db, id, actorOf(request)))) throw new Problem('BOOK_NOT_FOUND');
      catalogueVersion.recordLocalChange();
      return { _id: id, deleted: true as const };
    },
  );

  app.post(
    paths.restoreBook.pattern,
    {
      config: { access: 'admin', scope: 'catalogue', limit: 'catalogue-changes', hasNoBody: true },
      schema: {
        operationId: 'restoreBook',
        tags: ['catalogue'],
        summary: 'Puts a deleted book back',
        params: BookParams,
        response: { 200: Book, ...problemResponses(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const book = await restoreBook(db, request.params.id, actorOf(request));
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      catalogueVersion.recordLocalChange();
      return presentBook(book);
    },
  );
};

/** Whether a page is the first one of all books, newest first: what nearly every visit asks for. */
const isPlainList = ({ q = '', sort, limit = maxPageSize, cursor }: BooksQuery): boolean =>
  (sort ?? 'newest') === 'newest' && limit === maxPageSize && cursor === undefined && !readQuery(q);

/** The book in a request body that has passed its schema. */
function toBookDetails(
  { title, author, image, price, keywords = '' }: NewBook,
  storeOrigin: string,
): BookDetails {
  const priceCents = amountToCents(price.value);
  const normalizedImage = normalizeBookImage(image, storeOrigin);
  if (priceCents === undefined || normalizedImage === undefined) {
    throw new Error('the schema accepted a book that cannot be stored');
  }
  const details = { title: title.trim(), author: author.trim(), image: normalizedImage, priceCents };
  return keywords.trim() === '' ? details : { ...details, keywords: keywords.trim() };
}
