import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Term } from '../../contract/field-formats.ts';
import { ImageHostKey, UploadedImage, UploadRefused } from '../../contract/image.ts';
import { imageAddress, parseImageFile } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import * as Part from '../../contract/schema-parts.ts';
import { actorOf } from '../access/guards.ts';
import { actorId } from '../activity/activity.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { cachedForAYear } from '../http/headers.ts';
import { allCodes, Problem, type ProblemCode, problems } from '../http/problems.ts';
import { bytesResponse, described, problemResponses, responsesOf } from '../http/route-schemas.ts';
import type { Settings } from '../settings/settings.ts';
import { type BookOfCard, cardPath, drawnCoverPath, openCards, readCardName } from './cards.ts';
import { completeImages } from './complete-images.ts';
import type { ImageWorker } from './image-worker.ts';
import { checkImageQuota, findRendition, type Image, storeUpload } from './images.ts';
import { maxBodyBytes, multipartOptions, receiveUpload } from './receive-upload.ts';

const isImageFault = (code: ProblemCode, status: number): boolean =>
  status === 400 && code.startsWith('IMAGE_');
const imageFaults = allCodes.filter((code) => isImageFault(code, problems[code].status));

/** imgbb's numbers of errors: of the file, of the request, and of access and limits. */
function imgbbCode({ code, status }: Problem): number {
  if (status === 413 || isImageFault(code, status)) return 310;
  if (status === 400 || status === 415) return 130;
  return status < 500 ? 100 : 0;
}

function presentAsImgbb(problem: Problem) {
  const { code, status, message, detail } = problem;
  const whole = detail === undefined ? message : `${message} ${detail}`;
  return { status_code: status, error: { message: whole, code: imgbbCode(problem) }, status_txt: code };
}

/** Each upload keeps its file in memory until it is stored. One account cannot take all places. */
const uploadsAtOnce = { inAll: 4, ofAccount: 2 };

type ImageRoutesParts = {
  db: Db;
  catalogueVersion: CatalogueVersion;
  imageWorker: ImageWorker;
  settings: Pick<Settings, 'imageHost'>;
};

export const imageRoutes: FastifyPluginAsyncTypebox<ImageRoutesParts> = async (
  app,
  { db, catalogueVersion, imageWorker: worker, settings: { imageHost } },
) => {
  await app.register(multipart, multipartOptions);

  const stopping = new AbortController();
  app.addHook('onReady', async () => {
    completeImages(db, worker, stopping.signal)
      .then((images) => {
        if (images > 0) catalogueVersion.recordLocalChange();
      })
      .catch((err: unknown) => {
        // The stop has ended the worker in the middle of an image.
        if (stopping.signal.aborted) return;
        app.log.warn({ err }, 'the other widths of earlier images are made at the next start');
      });
  });
  app.addHook('onClose', async () => {
    stopping.abort();
    worker.close();
  });

  const uploading: string[] = [];
  const requirePlace = (account: string) => {
    const own = uploading.filter((one) => one === account).length;
    if (uploading.length >= uploadsAtOnce.inAll || own >= uploadsAtOnce.ofAccount) throw new Problem('BUSY');
  };

  app.post(
    paths.upload,
    {
      bodyLimit: maxBodyBytes,
      config: {
        access: 'admin',
        scope: 'catalogue',
        limit: 'uploads',
        presentProblem: presentAsImgbb,
        multipart: Part.Named(
          'ImageUpload',
          {
            key: Type.Optional(Part.Text('imgbb’s API key. The store ignores it and requires a session.')),
            image: Type.String({
              contentMediaType: 'application/octet-stream',
              description: 'The file: JPEG, PNG, GIF, WebP or AVIF, at most 10 MB.',
            }),
          },
          { key: 'colophon', image: 'cover.jpg' },
        ),
      },
      schema: {
        ...described('images', 'uploadImage', 'Stores an image; compatible with imgbb'),
        description:
          'The store makes WebP files of several widths from it. `display_url` is what a book has as its image; an image ' +
          'that no book has is deleted after a day. Errors have the form of imgbb, with the store’s code as `status_txt`.',
        consumes: ['multipart/form-data'],
        response: {
          200: UploadedImage,
          ...responsesOf([400, ...imageFaults, 401, 403, 408, 413, 415, 429, 'IMAGE_QUOTA_REACHED', 503], {
            'application/json': { schema: UploadRefused },
          }),
        },
      },
      // The check comes before the body arrives.
      onRequest: async (request) => {
        const account = actorId(actorOf(request));
        requirePlace(account);
        await checkImageQuota(db, account);
      },
    },
    async (request) => {
      const account = actorId(actorOf(request));
      requirePlace(account);
      uploading.push(account);
      try {
        const converted = await worker.convert(await receiveUpload(request));
        return presentUpload(await storeUpload(db, converted, account));
      } finally {
        uploading.splice(uploading.indexOf(account), 1);
      }
    },
  );

  app.get(
    paths.imageHostKey,
    {
      config: { access: 'admin' },
      schema: {
        ...described('images', 'findImageHostKey', 'The key for uploads to the image host'),
        description:
          'It belongs to an account of the shop at another host, and so is not in the page. Only with IMAGE_HOST_KEY.',
        response: { 200: ImageHostKey, ...problemResponses(401, 403, 'NOT_FOUND') },
      },
    },
    async (_request, reply) => (imageHost ? { key: imageHost.key } : reply.callNotFound()),
  );

  app.get(
    paths.image.pattern,
    {
      config: { access: 'public' },
      schema: {
        ...described('images', 'findImage', 'An image at one of its widths'),
        description: 'The address has a hash of the image, so what it leads to never changes.',
        params: Type.Object({
          file: Part.Id('Such as {id}.webp, or {id}-480.webp.'),
        }),
        response: { 200: bytesResponse('image/webp'), ...problemResponses(400, 'IMAGE_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const image = parseImageFile(request.params.file);
      const file = image && (await findRendition(db, image.id, image.width));
      if (!file) throw new Problem('IMAGE_NOT_FOUND');
      return (
        reply
          .type('image/webp')
          // An image without this width (complete-images.ts) is sent at a larger width.
          .header('cache-control', file.width === image.width ? cachedForAYear : 'public, max-age=60')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('content-disposition', `inline; filename="${image.id}.webp"`)
          .send(file.bytes)
      );
    },
  );
};

function presentUpload({ id, width, height, renditions }: Image): UploadedImage {
  const url = imageAddress(id);
  return {
    data: {
      id,
      title: id,
      url_viewer: url,
      url,
      display_url: url,
      width,
      height,
      size: renditions.at(-1)?.bytes.length ?? 0,
      time: Math.floor(Date.now() / 1000),
      expiration: 0,
      image: { filename: `${id}.webp`, name: id, mime: 'image/webp', extension: 'webp', url },
    },
    success: true,
    status: 200,
  };
}

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
        ...described('images', 'findCard', 'The picture of a book for previews of links, or its drawn cover'),
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
