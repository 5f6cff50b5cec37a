import type { FastifyError, FastifyRequest } from 'fastify';
import { fieldProblem, Problem } from '../http/problems.ts';

const maxUploadBytes = 10 * 1024 * 1024;
export const maxBodyBytes = maxUploadBytes + 64 * 1024;

/** Of the multipart parser. `parts` limits fields too; imgbb has four. Headers above a limit are ignored, and a file is cut. */
export const multipartOptions = {
  limits: {
    fileSize: maxUploadBytes,
    files: 1,
    parts: 9,
    fieldSize: 1024,
    headerPairs: 8,
    headerSize: 2048,
  },
  throwFileSizeLimit: false,
} as const;

export async function receiveUpload(request: FastifyRequest): Promise<{ file: Buffer; filename: string }> {
  const chunks: Buffer[] = [];
  try {
    const filename = await Promise.race([readParts(request, chunks), rejectLargeBody(request)]);
    return { file: Buffer.concat(chunks), filename };
  } catch (error) {
    // The parser throws errors without a code for a truncated body and for one without a boundary.
    const { code }: Partial<FastifyError> = error as Error;
    throw code === undefined ? new Problem('MALFORMED_BODY', { cause: error }) : error;
  } finally {
    // A body that goes on after its refusal would keep them.
    chunks.length = 0;
  }
}

async function readParts(request: FastifyRequest, chunks: Buffer[]): Promise<string> {
  let filename: string | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new Problem('BODY_TOO_LARGE');
      continue;
    }
    if (part.fieldname !== 'image') throw fieldProblem('image', 'Must be a file.');
    for await (const chunk of part.file) chunks.push(chunk);
    if (part.file.truncated)
      throw new Problem('BODY_TOO_LARGE', { detail: 'An image has at most 10 MB: make it smaller.' });
    // Undefined, against its type, for a part that is a file by its content type alone.
    filename = part.filename ?? '';
  }
  if (filename === undefined) throw fieldProblem('image', 'Must be a file.');
  return filename;
}

/** A chunked body has no `Content-Length` to refuse it by. */
function rejectLargeBody({ raw }: FastifyRequest): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) reject(new Problem('BODY_TOO_LARGE'));
  });
  return promise;
}
