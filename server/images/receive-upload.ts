import type { FastifyError, FastifyRequest } from 'fastify';
import { fieldProblem, Problem } from '../http/problems.ts';

const maxUploadBytes = 10 * 1024 * 1024;
export const maxBodyBytes = maxUploadBytes + 64 * 1024;

/** Limits of the multipart parser. `parts` also counts fields; imgbb has four. Headers beyond a limit are ignored, a file is cut. */
export const multipartOptions = {
  limits: { fileSize: maxUploadBytes, files: 1, parts: 9, fieldSize: 1024, headerPairs: 8, headerSize: 2048 },
  throwFileSizeLimit: false,
} as const;

export async function receiveUpload(request: FastifyRequest): Promise<Buffer> {
  let file: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') continue;
      if (part.fieldname !== 'image') throw fieldProblem('image', 'Must be a file.');
      file = await part.toBuffer();
      if (part.file.truncated)
        throw new Problem('BODY_TOO_LARGE', { detail: 'An image has at most 10 MB: make it smaller.' });
    }
    if (!file) throw fieldProblem('image', 'Must be a file.');
    return file;
  } catch (error) {
    // The parser throws errors without a code for a truncated body and for one without a boundary.
    const { code }: Partial<FastifyError> = error as Error;
    throw code === undefined ? new Problem('MALFORMED_BODY', { cause: error }) : error;
  }
}
