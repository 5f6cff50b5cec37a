import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { columnsInWords } from '../../contract/book-fields.ts';
import type { ImportEvent } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Money } from '../../contract/price.ts';
import * as Part from '../../contract/schema-parts.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { oneAtATime } from '../http/bodies.ts';
import { asProblem } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { bytesResponse, described, problemResponses } from '../http/route-schemas.ts';
import { importBooks, noProgress } from './import-books.ts';
import { type ImagePolicy, keepAddress } from './row-images.ts';

type ImportParts = { db: Db; catalogueVersion: CatalogueVersion; money: Money } & ImagePolicy;

/** The largest file, which is in memory until its end: 100,000 books have 50 MB. */
const maxBytes = 64 * 1024 * 1024;
const progressIntervalMs = 300;
/** The size of a chunk. Visitors wait while it is split: usually some milliseconds, and 50 if every byte is an empty line. */
const chunkBytes = 4 * 1024;

export const importRoutes: FastifyPluginAsyncTypebox<ImportParts> = async (
  app,
  { db, catalogueVersion, money, ...imagePolicy },
) => {
  app.removeAllContentTypeParsers();
  // The whole file is read first: a browser reads no response before it has sent its request.
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort(new Problem('UNAVAILABLE')));

  app.post(
    deskPaths.booksImport,
    {
      bodyLimit: maxBytes,
      config: { access: 'desk', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        ...described('desk', 'importBooks', 'Adds and changes books from a CSV file'),
        description:
          `UTF-8, with the columns ${columnsInWords.required}, and ${columnsInWords.optional} if you like, in any order. The same ` +
          'file again changes nothing. The response has a JSON object on each line: `progress`, with the `line` up to which ' +
          'all is done, and at the end `result` or `failed`.',
        consumes: ['text/csv'],
        querystring: Type.Object({
          dryRun: Part.Choice(['false', 'true'], 'Only check the file, and count.'),
        }),
        body: Type.Any({ description: 'The file.' }),
        response: {
          200: bytesResponse('application/x-ndjson'),
          ...problemResponses(400, 401, 403, 408, 413, 415, 429, 503),
        },
      },
      onRequest: oneAtATime(),
    },
    async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) throw new Problem('UNSUPPORTED_MEDIA_TYPE');
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort(new Error('the client has gone')));

      let progress = noProgress;
      const last = importBooks(db, chunksOf(request.body), {
        actor: actorOf(request),
        isDryRun: request.query.dryRun === 'true',
        images: { keep: (image, current) => keepAddress(imagePolicy, image, current) },
        money,
        totalBytes: request.body.length,
        signal: AbortSignal.any([gone.signal, stopping.signal]),
        onProgress: (now) => {
          progress = now;
        },
        onCommitted: catalogueVersion.recordLocalChange,
      }).then<ImportEvent, ImportEvent>(
        (result) => ({ type: 'result', ...result }),
        (error) => {
          const { code, message: title } = asProblem(error);
          if (code === 'INTERNAL' && error !== gone.signal.reason) {
            request.log.error({ err: error }, 'an import failed');
          }
          return { type: 'failed', code, title, line: progress.line };
        },
      );
      const lines = linesOf(last, () => ({ type: 'progress', ...progress }));
      return (
        reply
          .type('application/x-ndjson; charset=utf-8')
          // By default nginx would hold the lines back until the end.
          .header('x-accel-buffering', 'no')
          .send(Readable.from(lines, { objectMode: false }))
      );
    },
  );
};

async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += chunkBytes)
    yield file.subarray(start, start + chunkBytes);
}

async function* linesOf(last: Promise<ImportEvent>, progress: () => ImportEvent): AsyncGenerator<string> {
  for (;;) {
    const event = await Promise.race([last, pause(progressIntervalMs)]);
    yield `${JSON.stringify(event ?? progress())}\n`;
    if (event) return;
  }
}
