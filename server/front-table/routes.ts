import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { BookParams } from '../../contract/book.ts';
import { DeskBook } from '../../contract/desk/books.ts';
import { FrontTable, FrontTableChoice, FrontWords } from '../../contract/desk/front-table.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { paths } from '../../contract/paths.ts';
import { Front } from '../../contract/shop-front.ts';
import { actorOf } from '../access/guards.ts';
import { findDeskBook } from '../catalogue/desk-books.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { keyWithoutQuery, type ResponseCache } from '../http/response-cache.ts';
import { editFrontWords, findFrontTable, setOnFrontTable } from './front-table.ts';
import { frontLifetimeMs } from './read-front.ts';

type FrontParts = {
  db: Db;
  deskDb: Db;
  catalogueVersion: CatalogueVersion;
  responseCache: ResponseCache;
  findFront: () => Promise<Front>;
};

/** The front of the shop, and how the owner changes it. */
export const frontRoutes: FastifyPluginAsyncTypebox<FrontParts> = async (
  app,
  { db, deskDb, catalogueVersion, responseCache, findFront },
) => {
  app.get(
    paths.front,
    {
      config: { access: 'public', limit: 'searches' },
      schema: {
        operationId: 'readFront',
        tags: ['catalogue'],
        summary: 'Reads what the home screen shows above its list',
        description:
          'The front table, the new and the most bought books, and the number of books. Sales show some minutes later.',
        response: { 200: Front, ...problemResponses(429) },
      },
    },
    async (request, reply) => {
      const key = keyWithoutQuery(request, paths.front);
      const policy = {
        key,
        isCompressed: true,
        lifetimeMs: frontLifetimeMs,
      };
      await responseCache.send(request, reply, policy, async () => ({
        text: JSON.stringify(await findFront()),
      }));
      return reply;
    },
  );

  app.get(
    deskPaths.frontTable,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'desk' },
      schema: {
        operationId: 'findFrontTable',
        tags: ['desk'],
        summary: 'The front table: the owner’s words, and the chosen books that are for sale',
        response: { 200: FrontTable, ...problemResponses(401, 403, 429) },
      },
    },
    async () => await findFrontTable(deskDb),
  );

  app.patch(
    deskPaths.frontTable,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'editFrontTable',
        tags: ['desk'],
        summary: 'Changes the words of the front table',
        description: 'An empty text takes the owner’s away.',
        body: FrontWords,
        response: { 200: FrontTable, ...problemResponses(400, 401, 403, 415, 429) },
      },
    },
    async (request) => {
      await editFrontWords(db, request.body, actorOf(request));
      catalogueVersion.recordLocalChange();
      return await findFrontTable(db);
    },
  );

  app.post(
    deskPaths.bookFrontTable.pattern,
    {
      config: { access: 'desk', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'setOnFrontTable',
        tags: ['desk'],
        summary: 'Puts a book on the front table, or takes it off',
        description:
          'It stands there last. The table has six books at most; those that are sold out or deleted do not stand on it, and ' +
          'come back when they are for sale again.',
        params: BookParams,
        body: FrontTableChoice,
        response: {
          200: DeskBook,
          ...problemResponses(400, 401, 403, 'BOOK_NOT_FOUND', 'FRONT_TABLE_FULL', 415, 429),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const isThere = await setOnFrontTable(db, id, request.body.isOn, actorOf(request));
      const book = isThere && (await findDeskBook(db, id));
      if (!book) throw new Problem('BOOK_NOT_FOUND');
      catalogueVersion.recordLocalChange();
      return book;
    },
  );
};
