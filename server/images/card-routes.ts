import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Term } from '../../contract/field-formats.ts';
import { paths } from '../../contract/paths.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { cachedForAYear } from '../http/headers.ts';
import { Problem } from '../http/problems.ts';
import type { Settings } from '../settings/settings.ts';
import { type BookOfCard, cardPath, drawnCoverPath, openCards, readCardName } from './cards.ts';
import type { ImageWorker } from './image-worker.ts';

export const cardRoutes: FastifyPluginAsyncTypebox<{
  db: Db;
  findBook(id: string): Promise<BookOfCard | undefined>;
  imageWorker: ImageWorker;
  settings: Pick<Settings, 'storeName'>;
}> = async (app, { db, findBook, imageWorker, settings: { storeName } }) => {
  const { findCard, findCover } = openCards(db, imageWorker, storeName);

  app.get(
    paths.card.pattern,
    {
      config: { access: 'public', limit: 'cards' },
      schema: {
        operationId: 'findCard',
        tags: ['images'],
        summary: 'The picture of a book for previews of links, or its drawn cover',
        description:
          'The card is a JPEG of 1200 by 630 pixels with cover, title and author, the drawn cover a WebP of 480 by 720. The page of ' +
          'the book has the address: a picture that changes gets another one, and an earlier address leads to that of today.',
        params: Type.Object({
          file: Term({ maxLength: 80, description: 'The book’s id and a hash of what the card shows.' }),
        }),
        response: {
          200: { content: { 'image/jpeg': { schema: Type.Any() }, 'image/webp': { schema: Type.Any() } } },
          ...problemResponses(400, 'IMAGE_NOT_FOUND', 429, 'BUSY'),
        },
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const named = readCardName(file);
      const book = named && (await findBook(named.id));
      if (!book) throw new Problem('IMAGE_NOT_FOUND');
      const path = named.isCover ? drawnCoverPath(book) : cardPath(book, storeName);
      reply
        .header('cache-control', paths.card(file) === path ? cachedForAYear : 'public, max-age=86400')
        .header('cross-origin-resource-policy', 'cross-origin');
      return named.isCover
        ? reply.type('image/webp').send(await findCover(book))
        : reply.type('image/jpeg').send(await findCard(book));
    },
  );
};
