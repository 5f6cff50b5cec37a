import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isCleanText } from '../../contract/field-formats.ts';
import { ImageParams, ImageUpload, UploadedImage, UploadRefused } from '../../contract/image.ts';
import { imageAddress, parseImageFile } from '../../contract/image-address.ts';
import { paths } from '../../contract/paths.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { fieldProblem, Problem, type ProblemCode } from '../http/problems.ts';
import { openImageWorker } from './image-worker.ts';
import { findRendition, imageIdOf, type StoredImage, storeImage } from './images.ts';
import { UnreadableImageError } from './renditions.ts';

const maxUploadBytes = 10 * 1024 * 1024;

/** imgbb's error numbers. A problem that imgbb does not have gets the nearest one. */
const imgbbCodes: Partial<Record<ProblemCode, number>> = {
  VALIDATION_FAILED: 130,
  IMAGE_UNREADABLE: 310,
  BODY_TOO_LARGE: 310,
  UNSUPPORTED_MEDIA_TYPE: 130,
  SIGN_IN_REQUIRED: 100,
  NOT_ALLOWED: 100,
};

const presentAsImgbb = ({ code, status, message }: Problem) => ({
  status_code: status,
  error: { message, code: imgbbCodes[code] ?? 0 },
  status_txt: code,
});

/** The image host: `POST /1/upload`, which is compatible with imgbb's API, and the stored images. */
export const imageRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  await app.register(multipart, {
    limits: { fileSize: maxUploadBytes, files: 1, fields: 8, fieldSize: 1024, parts: 9 },
  });

  const worker = openImageWorker();
  app.addHook('onClose', async () => worker.close());

  app.post(
    paths.upload,
    {
      bodyLimit: maxUploadBytes + 64 * 1024,
      config: { access: 'admin', presentProblem: presentAsImgbb, multipart: ImageUpload },
      schema: {
        operationId: 'uploadImage',
        tags: ['images'],
        summary: 'Stores an image; compatible with imgbb',
        consumes: ['multipart/form-data'],
        response: {
          200: UploadedImage,
          ...Object.fromEntries([400, 401, 403, 413, 415].map((status) => [status, UploadRefused])),
        },
      },
    },
    async (request) => {
      const { bytes, filename } = await readImage(request);
      const converted = await worker.convert(bytes).catch((error: unknown) => {
        throw error instanceof UnreadableImageError
          ? new Problem('IMAGE_UNREADABLE', { cause: error })
          : error;
      });
      return presentUpload(await storeImage(db, imageIdOf(bytes), converted), filename);
    },
  );

  app.get(
    paths.image.pattern,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'findImage',
        tags: ['images'],
        summary: 'An image at one of its widths',
        params: ImageParams,
        response: {
          200: { content: { 'image/webp': { schema: Type.Any() } } },
          ...problemResponses(400, 404),
        },
      },
    },
    async (request, reply) => {
      const image = parseImageFile(request.params.file);
      const bytes = image && (await findRendition(db, image.id, image.width));
      if (!bytes) throw new Problem('IMAGE_NOT_FOUND');
      // The address contains a hash of the upload, so the image at an address never changes.
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(bytes);
    },
  );
};

/** The parser throws errors without a code for a truncated body and for one without a boundary. */
function throwUnreadableBody(error: FastifyError): never {
  throw error.code?.startsWith('FST_') ? error : new Problem('MALFORMED_BODY', { cause: error });
}

/** @throws {Problem} VALIDATION_FAILED without a file in the field `image`; MALFORMED_BODY; BODY_TOO_LARGE. */
async function readImage(request: FastifyRequest): Promise<{ bytes: Buffer; filename: string }> {
  const file = await request.file().catch(throwUnreadableBody);
  if (file?.fieldname !== 'image') throw fieldProblem('image', 'Must be a file.');
  const bytes = await file.toBuffer().catch(throwUnreadableBody);
  // The parser may cut a file at the limit without an error (fastify-multipart#250).
  if (file.file.truncated) throw new Problem('BODY_TOO_LARGE');
  return { bytes, filename: file.filename };
}

function presentUpload({ id, width, height, size }: StoredImage, filename: string): UploadedImage {
  const url = imageAddress(id);
  return {
    data: {
      id,
      // The client chose the name; the store returns it and does not store it.
      title: isCleanText(filename) ? filename.replace(/\.[^.]*$/, '') : id,
      url_viewer: url,
      url,
      display_url: url,
      width,
      height,
      size,
      time: Math.floor(Date.now() / 1000),
      expiration: 0,
      image: { filename: `${id}.webp`, name: id, mime: 'image/webp', extension: 'webp', url },
    },
    success: true,
    status: 200,
  };
}
