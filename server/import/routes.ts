import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { columnsInWords } from '../../contract/book-fields.ts';
import { BooksImportQuery, type ImportEvent } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { actorOf } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import { newId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { asProblem, problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { type ImportDone, importBooks } from './import-books.ts';
import { openPace } from './pace.ts';
import { type ImagePolicy, keepAddressesAlone } from './row-images.ts';

type ImportParts = { db: Db; catalogueVersion: CatalogueVersion } & ImagePolicy;

const maxBytes = 512 * 1024 * 1024;
const progressIntervalMs = 300;
/** Visitors wait while a chunk is split: some milliseconds. */
const chunkBytes = 16 * 1024;

/**
 * `POST /desk/api/books/import`. The file is received as a whole before its first row is imported: an import must not wait, with
 * its place taken, for a slow client.
 */
export const importRoutes: FastifyPluginAsyncTypebox<ImportParts> = async (
  app,
  { db, catalogueVersion, ...imagePolicy },
) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/csv', (_request, body, done) => done(null, body));

  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort(new Problem('UNAVAILABLE')));
  let isTaken = false;

  app.post(
    deskPaths.booksImport,
    {
      bodyLimit: maxBytes,
      config: { access: 'desk', scope: 'catalogue', limit: 'catalogue-changes' },
      schema: {
        operationId: 'importBooks',
        tags: ['desk'],
        summary: 'Adds and changes books from a CSV file',
        description:
          `UTF-8, with the columns ${columnsInWords.required}, and ${columnsInWords.optional} if you like, in any order. The same ` +
          'file again changes nothing. The response has a JSON object on each line: `progress`, with the `line` up to which ' +
          'all is done, and at the end `result` or `failed`.',
        consumes: ['text/csv'],
        querystring: BooksImportQuery,
        body: Type.Any({ description: 'The file.' }),
        response: {
          200: {
            content: { 'application/x-ndjson': { schema: Type.Any() } },
          },
          ...problemResponses(400, 401, 403, 408, 413, 415, 429, 503),
        },
      },
      onRequest: async (_request, reply) => {
        if (isTaken) throw new Problem('BUSY', { detail: 'Another import is under way.' });
        // A client that has gone would never free it.
        if (reply.raw.destroyed) throw new Problem('MALFORMED_BODY');
        isTaken = true;
        reply.raw.once('close', () => {
          isTaken = false;
        });
      },
    },
    async (request, reply) => {
      if (!(request.body instanceof Readable)) throw new Problem('UNSUPPORTED_MEDIA_TYPE');
      const isDryRun = request.query.dryRun === 'true';
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort(new Error('the client has gone')));

      const file = await receiveFile(request.raw);
      const totalBytes = (await file.stat()).size;
      let done: ImportDone = { bytes: 0, rows: 0, line: 0 };
      // The stream closes the file.
      const last = importBooks(db, file.createReadStream({ start: 0, highWaterMark: chunkBytes }), {
        actor: actorOf(request),
        isDryRun,
        images: { keep: keepAddressesAlone(imagePolicy) },
        signal: AbortSignal.any([gone.signal, stopping.signal]),
        onProgress: (now) => {
          done = now;
        },
        onCommitted: catalogueVersion.recordLocalChange,
      }).then<ImportEvent, ImportEvent>(
        (result) => ({ type: 'result', ...result }),
        (error) => {
          const problem = asProblem(error);
          if (problem.code === 'INTERNAL' && error !== gone.signal.reason) {
            request.log.error({ err: error }, 'an import failed');
          }
          return { type: 'failed', code: problem.code, title: problem.message, line: done.line };
        },
      );
      const pace = openPace(totalBytes);
      const progress = (): ImportEvent => {
        const { rowsPerSecond, secondsLeft = null } = pace(done);
        return { type: 'progress', ...done, totalBytes, rowsPerSecond, secondsLeft };
      };
      return (
        reply
          .type('application/x-ndjson; charset=utf-8')
          // For nginx, which would keep the lines until the end.
          .header('x-accel-buffering', 'no')
          .send(Readable.from(linesOf(last, progress), { objectMode: false }))
      );
    },
  );
};

/** @returns the file, which has no name: it goes with the process. */
async function receiveFile(body: IncomingMessage): Promise<FileHandle> {
  const path = join(tmpdir(), `colophon-${newId()}.csv`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    await file.writeFile(limited(body));
    return file;
  } catch (error) {
    await file.close();
    throw error === body.errored ? new Problem('MALFORMED_BODY', { cause: error }) : error;
  }
}

/** A chunked body has no `Content-Length` to refuse it by. */
async function* limited(chunks: AsyncIterable<Buffer>) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Problem('BODY_TOO_LARGE');
    yield chunk;
  }
}

async function* linesOf(last: Promise<ImportEvent>, progress: () => ImportEvent): AsyncGenerator<string> {
  for (;;) {
    const event = await Promise.race([last, pause(progressIntervalMs)]);
    yield `${JSON.stringify(event ?? progress())}\n`;
    if (event) return;
  }
}
