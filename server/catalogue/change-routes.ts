import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Book, BookChanges, BookParams, DeletedBook, NewBook } from '../../contract/book.ts';
import { type BookDetails, bookFields, byField, textOfSent } from '../../contract/book-fields.ts';
import { IdempotencyHeaders } from '../../contract/idempotency-key.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { plainEtag } from '../http/etags.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import { renewImage } from '../images/images.ts';
import { bookResponse, isSameVersion } from './book-response.ts';
import { addBook, type BookVersion, findBook, presentBook } from './books.ts';
import { deleteBook, restoreBook } from './delete-book.ts';
import { type BookEdit, type EditedBook, editBook } from './edit-book.ts';
import { reasonAgainstOrigin } from './image-origins.ts';

type ChangeParts = {
  db: Db;
  catalogueVersion: CatalogueVersion;
  storeOrigin: string;
  /** The places that images may come from besides the store itself: origins, or `https:`. */
  imageOrigins: readonly string[];
};

const config = { access: 'admin', scope: 'catalogue', limit: 'catalogue-changes' } as const;

/** The changes of single books (spec section 7), and `POST /restoreBook/{id}`. */
export const catalogueChangeRoutes: FastifyPluginAsyncTypebox<ChangeParts> = async (
  app,
  { db, catalogueVersion, storeOrigin, imageOrigins },
) => {
  app.patch(
    paths.book.pattern,
    {
      config,
      schema: {
        ...described('catalogue', 'editBook', 'Changes a book, for sale or sold out'),
        description:
          'Its id, its place in the list and its orders stay. `If-Match` has the ETag of the version that the change is ' +
          'based on: when another one is there, nothing is changed. The version does not count `copies`, which customers ' +
          'buy: `copiesWas` says on which number a change of them is based. Without a copy the book is sold out.',
        params: BookParams,
        headers: Type.Object({
          'if-match': Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 1000,
              pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
              description:
                'The ETag of the version that the change is based on, or `*` for whichever is there.',
            }),
          ),
        }),
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
      // An edit may keep the book's image even if its origin is no longer allowed.
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
      config,
      schema: {
        ...described('catalogue', 'addBook', 'Adds a book'),
        description: 'It is the first one of the list from then on.',
        headers: IdempotencyHeaders,
        body: NewBook,
        response: { 201: Book, ...problemResponses(400, 401, 403, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      const details = readBody(request.body, storeOrigin);
      await claimImage(db, details.image, imageOrigins);
      const book = await addBook(db, details, actorOf(request), request.headers['idempotency-key']);
      catalogueVersion.recordLocalChange();
      reply.code(201).header('location', paths.book(book.id));
      return presentBook(book);
    },
  );

  app.delete(
    paths.deleteBook.pattern,
    {
      config,
      schema: {
        ...described('catalogue', 'deleteBook', 'Removes a book from sale'),
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
      config,
      schema: {
        ...described('catalogue', 'restoreBook', 'Puts a deleted book back'),
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

async function claimImage(db: Db, image: string, imageOrigins: readonly string[]): Promise<void> {
  const reason = reasonAgainstOrigin(image, imageOrigins);
  if (reason !== undefined) throw fieldProblem('image', reason);
  const imageId = imageIdIn(image);
  if (imageId && !(await renewImage(db, imageId))) {
    throw fieldProblem('image', 'The store does not have this image. Upload it again.');
  }
}

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
