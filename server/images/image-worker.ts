/** Converts uploads in child processes: a decoder reads hostile bytes, and its crashes, hangs and leaks must not affect the store. */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { TitledBook } from '../../contract/cover-title.ts';
import { Problem, type ProblemCode } from '../http/problems.ts';
import type { ConvertedImage } from './images.ts';
import { limitConcurrency } from './limit-concurrency.ts';

export type DrawnBook = TitledBook & { id: string };

/** `colour` and `picture` belong to the book's image; without an image, the worker draws a cover. */
export type Card = { book: DrawnBook; colour: string | null; storeName: string; picture?: Uint8Array };

export type ImageJob = { file: Uint8Array } | { card: Card } | { cover: DrawnBook };

export type JobReply =
  | { result: ConvertedImage | Uint8Array }
  | { reason: string; code: ProblemCode; detail?: string };

export type ImageWorker = ReturnType<typeof openImageWorker>;

/** A process converts one file at a time: killing one that is too slow ends no other file's conversion. */
const maxProcesses = 2;

/** `timeoutMs`: the limit of a job, without its wait in the queue. `idleMs`: how long a process without work is kept. */
export function openImageWorker({ timeoutMs = 20_000, idleMs = 30_000 } = {}) {
  const limited = limitConcurrency(maxProcesses);
  /** A worker process; while it is idle, with the timer that ends it. */
  const children = new Map<ChildProcess, NodeJS.Timeout | undefined>();

  const start = (): ChildProcess => {
    const child = fork(new URL('./image-worker-entry.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: [],
      // The worker does not get the store's environment, which holds secrets. By default glibc has one memory arena per thread, and those
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

  const run = <Result extends ConvertedImage | Uint8Array>(job: ImageJob): Promise<Result> =>
    limited.run(async () => {
      const [child] = [...children].find(([, timer]) => timer) ?? [start()];
      clearTimeout(children.get(child));
      children.set(child, undefined);
      const reply = await runIn(child, job, timeoutMs);
      children.set(child, setTimeout(end, idleMs, child).unref());
      // image-worker-entry.ts has the result of each job.
      if ('result' in reply) return reply.result as Result;
      throw new Problem(reply.code, { ...reply, cause: new Error(reply.reason) });
    });

  return {
    /** @throws {Problem} as `resizeUpload` does; IMAGE_TOO_SLOW; UNAVAILABLE without a process that can load sharp. */
    convert: (file: Uint8Array) => run<ConvertedImage>({ file }),
    drawCard: (card: Card) => run<Uint8Array>({ card }),
    drawCover: (cover: DrawnBook) => run<Uint8Array>({ cover }),
    usage: limited.usage,
    close: () => [...children.keys()].forEach(end),
  };
}

/** @returns why no image can be converted, for example because sharp is missing for this platform; undefined if images can. */
export async function imageFault(): Promise<string | undefined> {
  const worker = openImageWorker();
  try {
    await worker.drawCover({ id: '', title: '', author: '' });
    return undefined;
  } catch (error) {
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : 'its process has ended';
    return `pictures cannot be converted: ${reason}`;
  } finally {
    worker.close();
  }
}

async function runIn(child: ChildProcess, job: ImageJob, timeoutMs: number): Promise<JobReply> {
  // A process that could not be started, for want of file descriptors for instance, has no `send` either.
  if (!child.connected) throw new Problem('UNAVAILABLE');
  const { promise, resolve, reject } = Promise.withResolvers<JobReply>();
  const fail = (cause?: unknown) => reject(new Problem('UNAVAILABLE', { cause }));
  child.once('message', resolve).once('exit', fail).once('error', fail);
  child.send(job, (error) => error && fail(error));
  const deadline = setTimeout(() => {
    // The store makes the drawing itself, so no file can be at fault.
    if ('file' in job) reject(new Problem('IMAGE_TOO_SLOW', { detail: 'Save it as JPEG, or smaller.' }));
    else fail(new Error(`it takes more than ${timeoutMs / 1000} seconds`));
    child.kill('SIGKILL');
  }, timeoutMs);
  return promise.finally(() => {
    clearTimeout(deadline);
    child.off('message', resolve).off('exit', fail).off('error', fail);
  });
}
