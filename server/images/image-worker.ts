/**
 * Converts uploads in child processes, which start when they are needed and end when they have been idle. A decoder reads
 * hostile bytes: a crash, a hang or a memory leak in it must not affect the store. Memory is a second reason: after the
 * store's own process had converted 60 covers, it held 470 MB.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Problem, type ProblemCode } from '../http/problems.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import type { ConvertedImage } from './renditions.ts';

/** The fields of a book that its drawn cover shows. */
export type DrawnBook = { id: string; title: string; author: string };

/** The picture of a book for previews of links. */
export type Card = {
  book: DrawnBook;
  /** The colour of the book's picture; null for that of the drawing. */
  colour: string | null;
  storeName: string;
  /** Any size of the book's picture, and its shape; undefined for a book whose cover is drawn. */
  picture: { bytes: Uint8Array; width: number; height: number } | undefined;
};

/** The job of a child process: to convert the uploaded file at a path, to resize a stored file, to draw, or only to load. */
export type ImageJob =
  | string
  | { resize: Uint8Array }
  | { card: Card }
  | { cover: DrawnBook }
  | { load: true };

/** The message from a child process. */
export type JobReply =
  | { result: ConvertedImage | string | Uint8Array }
  | { reason: string; problem?: { code: ProblemCode; detail?: string } };

export type ImageWorker = {
  /**
   * Converts an uploaded file, see `resizeUpload`. It waits while two others are being converted.
   * @throws {Problem} as `resizeUpload` does; IMAGE_TOO_SLOW for a file that is not converted in time; UNAVAILABLE when the child process
   * exited, could not be started, or cannot load sharp.
   */
  convert(path: string): Promise<ConvertedImage>;
  /**
   * Makes all widths of a stored image from its widest file. Waits as `convert` does, and so do the next ones.
   * @throws {Problem} as `convert` does; UNAVAILABLE also when it takes too long, as the next ones do.
   */
  resize(rendition: Uint8Array): Promise<ConvertedImage>;
  /** @returns the card as JPEG. */
  drawCard(card: Card): Promise<Uint8Array>;
  /** @returns the drawn cover of a book as WebP, 480 by 720. */
  drawCover(book: DrawnBook): Promise<Uint8Array>;
  /** Starts a child process that only loads what the others need. */
  load(): Promise<void>;
  /** How many files are being converted, and how many wait. */
  usage(): { inUse: number; waiting: number };
  close(): void;
};

type ImageWorkerOptions = {
  /** For one file, from the start of its own conversion: waiting for others does not count. */
  timeoutMs?: number;
  /** How long a process without work is kept. */
  idleMs?: number;
};

/**
 * Each process converts one file at a time: a file that takes too long is killed with its process, and with no other file.
 * More decoded images at a time would take more memory than the rest of the store.
 */
const maxProcesses = 2;

/** @returns the worker; its child processes are started by conversions, not here. */
export function openImageWorker({
  timeoutMs = 20_000,
  idleMs = 30_000,
}: ImageWorkerOptions = {}): ImageWorker {
  const limited = limitConcurrency(maxProcesses);
  /** With the timer that ends it, while it is idle. */
  const children = new Map<ChildProcess, NodeJS.Timeout | undefined>();

  const start = (): ChildProcess => {
    const child = fork(new URL('./image-worker-entry.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: [],
      // Without the store's environment, which holds secrets. glibc has one memory arena per thread by default, and those
      // would keep the memory that libvips has freed.
      env: { MALLOC_ARENA_MAX: '2', FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') },
    });
    const forget = () => {
      clearTimeout(children.get(child));
      children.delete(child);
    };
    return child.on('exit', forget).on('error', forget);
  };

  const end = (child: ChildProcess) => {
    children.delete(child);
    if (child.connected) child.disconnect();
  };

  const run = <Result>(job: ImageJob): Promise<Result> =>
    limited.run(async () => {
      const [idle] = [...children].find(([, timer]) => timer) ?? [start()];
      clearTimeout(children.get(idle));
      children.set(idle, undefined);
      const reply = await runIn(idle, job, timeoutMs);
      children.set(idle, setTimeout(end, idleMs, idle).unref());
      // image-worker-entry.ts has the result of each job.
      if ('result' in reply) return reply.result as Result;
      const cause = new Error(reply.reason);
      throw reply.problem ? new Problem(reply.problem.code, { ...reply.problem, cause }) : cause;
    });

  return {
    convert: (path) => run(path),
    resize: (rendition) => run({ resize: rendition }),
    drawCard: (card) => run({ card }),
    drawCover: (cover) => run({ cover }),
    load: () => run({ load: true }),
    usage: limited.usage,
    close() {
      for (const child of children.keys()) end(child);
    },
  };
}

/** @returns why no image can be converted, as where sharp is not there for this platform; undefined if images can. */
export async function imageFault(): Promise<string | undefined> {
  const worker = openImageWorker();
  try {
    await worker.load();
    return undefined;
  } catch (error) {
    const cause = error instanceof Problem ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : 'its process has ended';
    return `pictures cannot be converted: ${reason}. Run npm ci on this machine.`;
  } finally {
    worker.close();
  }
}

/** Rejects as `convert` does, and leaves no listener on the process. */
async function runIn(child: ChildProcess, job: ImageJob, timeoutMs: number): Promise<JobReply> {
  // A process that could not be started, for want of file descriptors for instance, has no `send` either.
  if (!child.connected) throw new Problem('UNAVAILABLE');
  const { promise, resolve, reject } = Promise.withResolvers<JobReply>();
  const fail = (cause?: unknown) => reject(new Problem('UNAVAILABLE', { cause }));
  child.once('message', resolve).once('exit', fail).once('error', fail);
  child.send(job, (error) => {
    if (error) fail(error);
  });
  const deadline = setTimeout(() => {
    // Only an uploaded file can be at fault: the rest is the store's own.
    const late =
      typeof job === 'string'
        ? new Problem('IMAGE_TOO_SLOW', { detail: 'Save it as JPEG, or smaller.' })
        : new Problem('UNAVAILABLE', { cause: new Error(`it takes more than ${timeoutMs / 1000} seconds`) });
    reject(late);
    child.kill('SIGKILL');
  }, timeoutMs);
  return promise.finally(() => {
    clearTimeout(deadline);
    child.off('message', resolve).off('exit', fail).off('error', fail);
  });
}
