import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { BookParams } from '../../contract/book.ts';
import { booksFileExample, CopiesChange, DeskBook, DeskBooksQuery } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { nextPageLink } from '../../contract/next-page.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import type { SendExport } from '../exports/send-export.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { plainEtag } from '../http/response-cache.ts';
import { forgivenHeaders } from '../search/forgive.ts';
import { bookResponse } from './book-response.ts';
import { findBook } from './books.ts';
import { findDeskBook, listDeskBooks } from './desk-books.ts';
import { copiesBy, editBook } from './edit-book.ts';
import { exportBooks } from './export-books.ts';

type DeskCatalogueParts = {
  db: Db;
  deskDb: Db;
  catalogueVersion: CatalogueVersion;
  sendExport: SendExport;
};

/** The desk's calls about books. `PATCH /book/{id}` changes one, `POST /restoreBook/{id}` puts a deleted one back. */
export const deskCatalogueRoutes: FastifyPluginAsyncTypebox<DeskCatalogueParts> = async (
  app,
  { db, deskDb, catalogueVersion, sendExport },
) => {
  app.get(
    deskPaths.books,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'desk' },
      schema: {
        operationId: 'listDeskBooks',
        tags: ['desk'],
        summary: 'Lists books for sale, sold out or deleted, with what only the owner sees',
        description:
          'A page of a search may be short, or empty, although `Link` names another one. `Corrected-Query`, `Also-Found` and ' +
          '`Similar-Words` are those of `GET /books`.',
        querystring: DeskBooksQuery,
        response: { 200: Type.Array(DeskBook), ...problemResponses(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { books, nextCursor, ...forgiven } = await listDeskBooks(deskDb, request.query);
      const { correctedTo: q = request.query.q } = forgiven;
      reply.headers(forgivenHeaders(forgiven));
      if (nextCursor)
        reply.header('link', nextPageLink(deskPaths.books, { ...request.query, q }, nextCursor));
      return books;
    },
  );

  app.get(
    deskPaths.booksExport,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'desk' },
      schema: {
        operationId: 'exportBooks',
        tags: ['desk'],
        summary:
          'The books for sale and those that are sold out as a CSV file, oldest first, as an import takes it',
        description:
          'RFC 4180, in UTF-8 with a byte order mark; a cell that a spreadsheet would compute has an apostrophe before it.',
        response: {
          200: { content: { 'text/csv': { schema: Type.Any({ examples: [booksFileExample] }) } } },
          ...problemResponses(401, 403, 429),
        },
      },
    },
    async (request, reply) => {
      // The byte order mark: without it Excel takes the bytes for the letters of the computer's country.
      const options = { hasByteOrderMark: true };
      const read = () => exportBooks({ db, readDb: deskDb }, actorOf(request), options);
      const type = 'text/csv; charset=utf-8';
      return await sendExport(request, reply, { name: ['books'], ending: 'csv', type, read });
    },
  );

  app.get(
    deskPaths.book.pattern,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'desk' },
      schema: {
        operationId: 'findDeskBook',
        tags: ['desk'],
        summary: 'Finds a book, also a deleted one',
        description: 'Of a book for sale it has the ETag of `GET /book/{id}`.',
        params: BookParams,
        response: { 200: DeskBook, ...problemResponses(400, 401, 403, 'BOOK_NOT_FOUND', 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      // Before the rest: if the book is changed in between, the ETag is the older one, and an edit is refused.
      const forSale = await findBook(db, id);
      const book = await findDeskBook(db, id);
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      if (forSale) reply.header('etag', plainEtag(bookResponse(forSale)));
      return book;
    },
  );

  app.post(
    deskPaths.bookCopies.pattern,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'changeCopies',
        tags: ['desk'],
        summary: 'Adds copies of a book, or takes away copies that were sold elsewhere',
        description:
          'Adds to the number that is there: a sale or another change at the same time counts too. Look at the book before you repeat ' +
          'it. Without a copy the book is sold out.',
        params: BookParams,
        body: CopiesChange,
        response: {
          200: DeskBook,
          ...problemResponses(400, 401, 403, 'BOOK_NOT_FOUND', 'SOLD_OUT', 415, 429),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const change = { actor: actorOf(request), isExpected: () => true };
      const edited = await editBook(db, id, copiesBy(request.body.by), change);
      const book = edited && (await findDeskBook(db, id));
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      catalogueVersion.recordLocalChange();
      return book;
    },
  );
};
