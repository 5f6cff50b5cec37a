/** Receives the body of an upload into a temporary file: in memory, 60 uploads of 10 MB took 1.4 GB. */

import { createWriteStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyError, FastifyRequest } from 'fastify';
import { hasProcessEnded } from '../ended-process.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { StartError } from '../start-error.ts';

const maxUploadBytes = 10 * 1024 * 1024;
/** With room for the other fields, and for what surrounds the parts. */
export const maxBodyBytes = maxUploadBytes + 64 * 1024;

/** For the multipart parser. `parts` limits fields too; imgbb has four. Headers above a limit are ignored. */
const limits = {
  fileSize: maxUploadBytes,
  files: 1,
  parts: 9,
  fieldSize: 1024,
  headerPairs: 8,
  headerSize: 2048,
} as const;

/** Limits of the multipart parser. A file above its limit is cut, and refused here. */
export const multipartOptions = { limits, throwFileSizeLimit: false } as const;

type ArrivalLimits = {
  /** The limit of the whole body. A chunked body has no `Content-Length` to refuse it by. */
  maxBytes: number;
  /** A slower body would keep one of few slots from others. Its first seconds do not count. */
  minBytesPerS: number;
  graceMs: number;
};

/** For images of less than 4 MB: larger ones must come faster, to arrive in the two minutes that a request has. */
export const arrivalLimits: ArrivalLimits = {
  maxBytes: maxBodyBytes,
  minBytesPerS: 32 * 1024,
  graceMs: 5_000,
};

/** An uploaded file; `filename` as the client sent it. */
type ReceivedUpload = { path: string; filename: string };

const folderPrefix = 'colophon-upload-';

/**
 * Receives the file of the multipart field `image`, and lets `use` read it; the file is removed after that.
 * @returns what `use` returns.
 * @throws {Problem} VALIDATION_FAILED without a file in that field; MALFORMED_BODY; BODY_TOO_LARGE; REQUEST_TIMEOUT.
 */
export async function withUpload<Result>(
  request: FastifyRequest,
  use: (upload: ReceivedUpload) => Promise<Result>,
): Promise<Result> {
  return await withUploadFolder(async (folder) => await use(await receive(request, join(folder, 'image'))));
}

/** Makes a folder for one upload, which only this user can open (mode 0700), and removes it with its files after the use. */
export async function withUploadFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${hostname()}-${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    // With retries, because a broken upload's file may still be open.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function receive(request: FastifyRequest, path: string): Promise<ReceivedUpload> {
  const arrival = watchArrival(request.raw, arrivalLimits);
  try {
    return await Promise.race([readParts(request, path, arrival.signal), arrival.failure]);
  } catch (error) {
    throw asBodyProblem(error);
  } finally {
    arrival.stop();
  }
}

async function readParts(
  request: FastifyRequest,
  path: string,
  signal: AbortSignal,
): Promise<ReceivedUpload> {
  let upload: ReceivedUpload | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new Problem('BODY_TOO_LARGE');
      continue;
    }
    if (part.fieldname !== 'image') throw fieldProblem('image', 'Must be a file.');
    await pipeline(part.file, createWriteStream(path, { flags: 'wx' }), { signal });
    if (part.file.truncated)
      throw new Problem('BODY_TOO_LARGE', { detail: 'An image has at most 10 MB: make it smaller.' });
    // Undefined, against its type, for a part that is a file by its content type alone.
    upload = { path, filename: part.filename ?? '' };
  }
  if (!upload) throw fieldProblem('image', 'Must be a file.');
  return upload;
}

/** The parser throws errors without a code for a truncated body and for one without a boundary. */
function asBodyProblem(error: unknown): unknown {
  const isOfBody =
    error instanceof Error && !(error instanceof Problem) && !('syscall' in error) && !isOfFramework(error);
  return isOfBody ? new Problem('MALFORMED_BODY', { cause: error }) : error;
}

const isOfFramework = ({ code }: Partial<FastifyError>): boolean => code?.startsWith('FST_') ?? false;

type Arrival = {
  /** Rejects with BODY_TOO_LARGE or REQUEST_TIMEOUT, and never resolves. */
  failure: Promise<never>;
  /** Aborted when `failure` rejects. */
  signal: AbortSignal;
  stop(): void;
};

/** Watches a body while another reader reads it. */
export function watchArrival(body: Readable, { maxBytes, minBytesPerS, graceMs }: ArrivalLimits): Arrival {
  const controller = new AbortController();
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const startedAt = performance.now();
  let bytes = 0;

  const fail = (problem: Problem) => {
    reject(problem);
    controller.abort(problem);
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) fail(new Problem('BODY_TOO_LARGE'));
  };
  body.on('data', count);
  const timer = setInterval(() => {
    const requiredBytes = ((performance.now() - startedAt - graceMs) / 1000) * minBytesPerS;
    if (bytes < requiredBytes) fail(new Problem('REQUEST_TIMEOUT'));
  }, 1_000);

  return {
    failure,
    signal: controller.signal,
    stop() {
      clearInterval(timer);
      body.off('data', count);
    },
  };
}

/** @returns why the temporary folder cannot be used; undefined if it can. A full one gets room again, and the shop sells meanwhile. */
export async function temporaryFolderFault(): Promise<string | undefined> {
  const folder = tmpdir();
  try {
    await readdir(folder);
    await withUploadFolder(async () => {});
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return undefined;
    return `the temporary folder ${folder} cannot be read and written (${code}).`;
  }
}

/** Older ones belong to no upload: a request has two minutes to arrive, and a conversion waits for seven others. */
const leftoverAgeMs = 60 * 60 * 1000;

/**
 * Removes the files of uploads that a crash interrupted, of this store or another one on the machine.
 * @throws {StartError} without a temporary folder that can be used: no upload could be received.
 */
export async function removeOldUploads(): Promise<void> {
  const fault = await temporaryFolderFault();
  if (fault !== undefined) throw new StartError(`TMPDIR: ${fault}`);
  const names = await readdir(tmpdir());
  const folders = names.filter((name) => name.startsWith(folderPrefix));
  // A folder of another user cannot be removed, and another store may remove one at the same time.
  await Promise.allSettled(
    folders.map(async (name) => {
      const folder = join(tmpdir(), name);
      const { mtimeMs } = await lstat(folder);
      if (isOfEndedProcess(name) || Date.now() - mtimeMs > leftoverAgeMs)
        await rm(folder, { recursive: true });
    }),
  );
}

/** Folders of other machines stay: nothing shows whether their processes run, and containers may share the folder. */
function isOfEndedProcess(folderName: string): boolean {
  const [, host, pid] = /^colophon-upload-(.+)-(\d+)-[^-]+$/.exec(folderName) ?? [];
  return host === hostname() && hasProcessEnded(Number(pid));
}
