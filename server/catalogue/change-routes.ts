import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { fieldsByName } from '../../contract/book-fields.ts';
import { ChangeBooks, ChangedBooks, UndoBooks } from '../../contract/desk/changed-books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { changeBooks, undoBooks } from './change-books.ts';

/** Room for the keywords of so many books, in up to three bytes a letter. */
const maxUndoBytes = maxPageSize * (fieldsByName.keywords.maxLength * 3 + 200);

type ChangeParts = { db: Db; catalogueVersion: CatalogueVersion };

/** The desk's calls that change many books at once. */
export const changeBooksRoutes: FastifyPluginAsyncTypebox<ChangeParts> = async (
  app,
  { db, catalogueVersion },
) => {
  const config = { access: 'desk', scope: 'catalogue', limit: 'catalogue-changes' } as const;
  const response = { 200: ChangedBooks, ...problemResponses(400, 401, 403, 415, 429) };

  app.post(
    deskPaths.booksChange,
    {
      config,
      schema: {
        operationId: 'changeBooks',
        tags: ['desk'],
        summary: 'Changes the price or a subject of many books, deletes them or restores them',
        description:
          'A subject is a part of the keywords between commas, outside parentheses. The response says what has changed, for `POST /desk/api/books/undo`, ' +
          'and which books were left alone. The same call again changes no price twice, because the versions are others then.',
        body: ChangeBooks,
        response,
      },
    },
    async (request) => {
      const { books, change, dryRun = false } = request.body;
      const result = await changeBooks(db, books, { change, isDryRun: dryRun }, actorOf(request));
      if (!dryRun) catalogueVersion.recordLocalChange();
      return result;
    },
  );

  app.post(
    deskPaths.booksUndo,
    {
      config,
      bodyLimit: maxUndoBytes,
      schema: {
        operationId: 'undoBooks',
        tags: ['desk'],
        summary: 'Gives books the values back that they had before a change of many',
        description: 'Books that were changed since are left alone.',
        body: UndoBooks,
        response,
      },
    },
    async (request) => {
      const result = await undoBooks(db, request.body.books, actorOf(request));
      catalogueVersion.recordLocalChange();
      return result;
    },
  );
};
