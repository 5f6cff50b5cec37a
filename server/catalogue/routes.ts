import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  Book,
  BookChanges,
  BookInStock,
  BookParams,
  BooksBeside,
  BooksQuery,
  DeletedBook,
  ListedBook,
  NewBook,
} from '../../contract/book.ts';
import { type BookDetails, bookFields, byField, textOfSent } from '../../contract/book-fields.ts';
import { IdempotencyHeaders } from '../../contract/idempotency-key.ts';
import { IfMatchHeaders } from '../../contract/if-match.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import { paths } from '../../contract/paths.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { plainEtag } from '../http/etags.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { renewImage } from '../images/images.ts';
import { forgivenHeaders } from '../search/forgive.ts';
import { findBooks } from '../search/search.ts';
import { readQuery } from '../search/search-text.ts';
import type { SoldCounts } from '../search/sold-counts.ts';
import { besideLifetimeMs, listBeside } from './beside.ts';
import { bookResponse, isSameVersion } from './book-response.ts';
import { addBook, type BookVersion, findBook, presentBook } from './books.ts';
import { deleteBook, restoreBook } from './delete-book.ts';
import { type BookEdit, type EditedBook, editBook } from './edit-book.ts';
import { checkImageOrigin } from './image-origins.ts';

type CatalogueParts = {
  db: Db;
  listDb: Db;
  catalogueVersion: CatalogueVersion;
  responseCache: ResponseCache;
  soldCounts: () => SoldCounts;
  /** The store's own origin, such as `https://shop.example`. */
  storeOrigin: string;
  /** The places that images may come from besides the store: origins, or `https:`. */
  imageOrigins: readonly string[];
};

/** The catalogue's routes (spec section 7), and `POST /restoreBook/{id}`. */
export const catalogueRoutes: FastifyPluginAsyncTypebox<CatalogueParts> = async (
  app,
  { db, listDb, catalogueVersion, responseCache, soldCounts, storeOrigin, imageOrigins },
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
        response: { 200: Type.Array(ListedBook), ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const isFirstPage = isPlainList(query);
      const key = isFirstPage ? paths.books : undefined;
      const policy = { key, isCompressed: true };
      await responseCache.send(request, reply, policy, async () => {
        // Sent as bytes, here and below, so the response schema removes no field. A test checks the fields.
        // Every visit needs the first page, and an index yields it: it must not wait for searches.
        const found = await findBooks(isFirstPage ? db : listDb, query, soldCounts());
        const { books, nextCursor, correctedTo } = found;
        reply.headers(forgivenHeaders(found));
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
        summary: 'Finds a book, for sale or sold out',
        description:
          'The ETag names its version; with `If-None-Match` the response is 304 while nothing has changed.',
        params: BookParams,
        response: { 200: BookInStock, ...problemResponses(400, 'BOOK_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const key = keyWithoutQuery(request, paths.book(id));
      await responseCache.send(request, reply, { key }, async () => {
        const book = await findBook(db, id);
        if (!book) throw new Problem('BOOK_NOT_FOUND');
        return bookResponse(book);
      });
      return reply;
    },
  );

  app.get(
    paths.beside.pattern,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        operationId: 'listBooksBeside',
        tags: ['catalogue'],
        summary: 'Lists the books that the page of a book leads to',
        description: 'At most twelve of each, all for sale. The book itself may be sold out.',
        params: BookParams,
        response: { 200: BooksBeside, ...problemResponses(400, 'BOOK_NOT_FOUND', 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const key = keyWithoutQuery(request, paths.beside(id));
      const policy = { key, isCompressed: true, lifetimeMs: besideLifetimeMs };
      await responseCache.send(request, reply, policy, async () => {
        const found = await listBeside(listDb, id);
        if (!found) throw new Problem('BOOK_NOT_FOUND');
        const { byAuthor, beside } = found;
        const body: BooksBeside = { byAuthor: byAuthor.map(presentBook), beside: beside.map(presentBook) };
        return { text: JSON.stringify(body) };
      });
      return reply;
    },
  );

  app.patch(
    paths.book.pattern,
    {
      config: { access: 'admin', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'editBook',
        tags: ['catalogue'],
        summary: 'Changes a book, for sale or sold out',
        description:
          'Its id, its place in the list and its orders stay. `If-Match` has the ETag of the version that the change is ' +
          'based on: when another one is there, nothing is changed. The version does not count `copies`, which customers ' +
          'buy: `copiesWas` says on which number a change of them is based. Without a copy the book is sold out.',
        params: BookParams,
        headers: IfMatchHeaders,
        body: BookChanges,
        response: {
          200: Book,
          ...problemResponses(400, 401, 403, 'BOOK_NOT_FOUND', 'COPIES_CHANGED', 412, 415, 428, 429),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const ifMatch = request.headers['if-match'];
      if (ifMatch === undefined) throw new Problem('PRECONDITION_REQUIRED');
      const edit = readBody(request.body, storeOrigin);
      // An image that the book has already may come from where none may come from now.
      if (edit.image !== undefined && edit.image !== (await findBook(db, id))?.image) {
        await claimImage(db, edit.image, imageOrigins);
      }
      const isExpected = (book: BookVersion) => isSameVersion(ifMatch, book);
      const { copiesWas } = request.body;
      const editOf = ({ copies = null }: EditedBook): BookEdit => {
        if (copiesWas !== undefined && copiesWas !== copies) throw new Problem('COPIES_CHANGED');
        return edit;
      };
      const book = await editBook(db, id, editOf, { actor: actorOf(request), isExpected });
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      catalogueVersion.recordLocalChange();
      reply.header('etag', plainEtag(bookResponse(book)));
      return presentBook(book);
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
        description: 'It is the first one of the list from then on.',
        headers: IdempotencyHeaders,
        body: NewBook,
        response: { 201: Book, ...problemResponses(400, 401, 403, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      const details = readBody(request.body, storeOrigin);
      await claimImage(db, details.image, imageOrigins);
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
        description:
          'Its orders stay, and `POST /restoreBook/{id}` puts it back. To delete it again changes nothing.',
        params: BookParams,
        response: { 200: DeletedBook, ...problemResponses(400, 401, 403, 'BOOK_NOT_FOUND', 429) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await deleteBook(db, id, actorOf(request)))) throw new Problem('BOOK_NOT_FOUND');
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
        description: 'It has its id and its place in the list again. A book that is for sale stays as it is.',
        params: BookParams,
        response: { 200: Book, ...problemResponses(400, 401, 403, 'BOOK_NOT_FOUND', 429) },
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

/** @returns true if a page is the first one of all books, newest first: nearly every visit asks for it. */
const isPlainList = ({
  q = '',
  sort,
  limit = maxPageSize,
  spelling: _,
  from: __,
  ...filter
}: BooksQuery): boolean =>
  (sort ?? 'newest') === 'newest' &&
  limit === maxPageSize &&
  Object.values(filter).every((value) => value === undefined) &&
  !readQuery(q);

/**
 * Checks an image that a book is about to use, and keeps it from being swept.
 * @throws {Problem} VALIDATION_FAILED.
 */
async function claimImage(db: Db, image: string, imageOrigins: readonly string[]): Promise<void> {
  checkImageOrigin(image, imageOrigins);
  const imageId = imageIdIn(image);
  if (imageId && !(await renewImage(db, imageId))) {
    throw fieldProblem('image', 'The store does not have this image. Upload it again.');
  }
}

/** The changes in a request body that has passed its schema; those of a new book are all its details. */
const readBody = <Body extends BookChanges>(body: Body, storeOrigin: string) =>
  byField<Body extends NewBook ? BookDetails : BookEdit>(
    bookFields,
    ({ name, read }) => {
      if (body[name] === undefined) return undefined;
      const value = read(textOfSent(body[name]), storeOrigin);
      if (value === undefined) throw new Error('the schema accepted a book that cannot be stored');
      return value;
    },
    'property',
  );
