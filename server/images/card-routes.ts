import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { CardParams } from '../../contract/image.ts';
import { paths } from '../../contract/paths.ts';
import { findBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { cachedForADay, cachedForAYear } from '../http/cache-control.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { matchesEtag } from '../http/response-cache.ts';
import { bookOfCardIn, cardPath, openCards } from './cards.ts';
import type { ImageWorker } from './image-worker.ts';

type CardRoutesParts = { db: Db; worker: ImageWorker };

/** The cards of books. */
export const cardRoutes: FastifyPluginAsyncTypebox<CardRoutesParts> = async (app, { db, worker }) => {
  const findCard = openCards(db, worker);

  app.get(
    paths.card.pattern,
    {
      config: { access: 'public', limit: 'cards' },
      schema: {
        operationId: 'findCard',
        tags: ['images'],
        summary: 'The picture of a book for previews of links',
        description:
          'Its cover, at 1200 by 630 pixels. The page of the book has the address: a card that changes gets another one, and ' +
          'an earlier address leads to the card of today.',
        params: CardParams,
        response: {
          200: { content: { 'image/jpeg': { schema: Type.Any() } } },
          ...problemResponses(400, 'IMAGE_NOT_FOUND', 429, 'BUSY'),
        },
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const id = bookOfCardIn(file);
      const book = id === undefined ? undefined : await findBook(db, id);
      if (!book) throw new Problem('IMAGE_NOT_FOUND');
      const path = cardPath(book);
      const etag = `"${path.slice(-12, -4)}"`;
      reply
        .header('cache-control', request.url === path ? cachedForAYear : cachedForADay)
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('etag', etag);
      if (matchesEtag(request.headers['if-none-match'], etag)) return sendNotModified(reply);
      return reply.type('image/jpeg').send(await findCard(book));
    },
  );
};

/** It takes a reply of any route: the description of one has no 304. */
const sendNotModified = (reply: FastifyReply) => reply.code(304).send();
