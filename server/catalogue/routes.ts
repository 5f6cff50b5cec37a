import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Book, BookParams, BooksQuery, DeletedBook, NewBook } from '../../contract/book.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import type { Db } from '../database/tables.ts';
import { renewImage } from '../images/images.ts';
import { amountToCents } from '../money.ts';
import { nextPageLink } from '../next-page-link.ts';
import { problemAnswers } from '../problem-answers.ts';
import { fieldProblem, Problem } from '../problems.ts';
import type { ReadyAnswers } from '../ready-answers.ts';
import { signedInCustomer } from '../sign-in/guards.ts';
import { bookImage } from './book-image.ts';
import {
  addBook,
  findBook,
  findPosition,
  presentBook,
  removeBook,
  restoreBook,
  type ShelfQuery,
} from './books.ts';
import type { CatalogueChanges } from './changes.ts';
import { searchPatterns } from './search-text.ts';
import { contentCodings, firstPage, type Shelf, type ShelfPage } from './shelf.ts';

export type CatalogueParts = {
  db: Db;
  changes: CatalogueChanges;
  shelf: Shelf;
  ready: ReadyAnswers;
  storeOrigin: string;
};

/** The catalogue's calls of the spec's section 7, and `POST /restoreBook/{id}`. */
export const catalogueRoutes: FastifyPluginAsyncTypebox<CatalogueParts> = async (
  app,
  { db, changes, shelf, ready, storeOrigin },
) => {
  app.get(
    paths.books,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'listBooks',
        tags: ['catalogue'],
        summary: 'Lists the books for sale',
        querystring: BooksQuery,
        response: { 200: Type.Array(Book), ...problemAnswers(400) },
      },
      onSend: ready.takeDown,
    },
    async (request, reply) => {
      const page = await shelf.page(await shelfQuery(db, request.query));
      if (request.url === paths.books) ready.keep(reply, page.mark);
      if (page.nextCursor) reply.header('link', nextPageLink(paths.books, request.query, page.nextCursor));
      return sendPage(request, reply, page);
    },
  );

  app.get(
    '/book/:id',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'findBook',
        tags: ['catalogue'],
        summary: 'Finds a book for sale',
        params: BookParams,
        response: { 200: Book, ...problemAnswers(404) },
      },
      onSend: ready.takeDown,
    },
    async (request, reply) => {
      const { id } = request.params;
      const mark = changes.mark();
      const book = await findBook(db, id);
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      if (request.url === paths.book(id)) ready.keep(reply, mark);
      reply.header('cache-control', 'public, no-cache');
      return presentBook(book);
    },
  );

  app.post(
    paths.addBook,
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'addBook',
        tags: ['catalogue'],
        summary: 'Puts a new book on the shelf',
        body: NewBook,
        response: { 201: Book, ...problemAnswers(400, 401, 403, 415) },
      },
    },
    async (request, reply) => {
      const added = newBook(request.body, storeOrigin);
      const imageId = imageIdIn(added.image);
      if (imageId && !(await renewImage(db, imageId))) {
        throw fieldProblem('image', 'The store does not have this image. Upload it again.');
      }
      const book = await addBook(db, added, signedInCustomer(request).id);
      changes.changed();
      reply.code(201).header('location', paths.book(book.id));
      return presentBook(book);
    },
  );

  app.delete(
    '/deleteBook/:id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'deleteBook',
        tags: ['catalogue'],
        summary: 'Takes a book off the shelf',
        params: BookParams,
        response: { 200: DeletedBook, ...problemAnswers(401, 403, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await removeBook(db, id, signedInCustomer(request).id))) throw new Problem('BOOK_NOT_FOUND');
      changes.changed();
      return { _id: id, deleted: true as const };
    },
  );

  app.post(
    '/restoreBook/:id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'restoreBook',
        tags: ['catalogue'],
        summary: 'Puts a deleted book back',
        params: BookParams,
        response: { 200: Book, ...problemAnswers(401, 403, 404) },
      },
    },
    async (request) => {
      const book = await restoreBook(db, request.params.id);
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      changes.changed();
      return presentBook(book);
    },
  );
};

async function shelfQuery(db: Db, { q, sort, limit, cursor }: BooksQuery): Promise<ShelfQuery> {
  const after = cursor === undefined ? undefined : await findPosition(db, cursor);
  if (cursor !== undefined && !after) throw fieldProblem('cursor', 'Take it from the Link header of a page.');
  const query = {
    sort: sort ?? firstPage.sort,
    limit: limit ?? firstPage.limit,
    patterns: searchPatterns(q ?? ''),
    after,
  };
  const isFirstPage =
    query.sort === firstPage.sort && query.limit === firstPage.limit && query.patterns.length === 0 && !after;
  return isFirstPage ? firstPage : query;
}

/** CORS may have set it already. */
function addToVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary ? `${vary}, ${name}` : name);
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ShelfPage,
): Promise<FastifyReply> {
  const accepted = negotiate(request.headers['accept-encoding'] ?? 'identity', [...contentCodings]);
  const coding = contentCodings.find((known) => known === accepted) ?? 'identity';
  const etag = page.etag(coding);
  reply.header('etag', etag).header('cache-control', 'public, no-cache');
  addToVary(reply, 'accept-encoding');
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type('application/json; charset=utf-8').send(await page.bytes(coding));
}

/** The book that a body describes whose schema has passed. */
function newBook({ title, author, image, price }: NewBook, storeOrigin: string) {
  const priceCents = amountToCents(price.value);
  const keptImage = bookImage(image, storeOrigin);
  if (priceCents === undefined || keptImage === undefined) throw new Error('the schema let a book through');
  return { title: title.trim(), author: author.trim(), image: keptImage, priceCents };
}
