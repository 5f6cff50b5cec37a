/**
 * Converts uploads in a child process, which starts with the first upload and ends when it has been idle. A decoder reads
 * hostile bytes: a crash, a hang or a memory leak in it must not affect the store. Memory is a second reason: after the
 * store's own process had converted 60 covers, it held 470 MB.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Problem } from '../http/problems.ts';
import { type ConvertedImage, UnreadableImageError } from './renditions.ts';

/** The message to the child: the uploaded file, under a number that its reply repeats. */
export type ConversionJob = { job: number; bytes: Uint8Array };
/** The message from the child. */
export type ConversionReply =
  | { job: number; image: ConvertedImage }
  | { job: number; reason: string; isUnreadable: boolean };

type ImageWorker = {
  /**
   * Converts an uploaded file, see `convertUpload`.
   * @throws {UnreadableImageError} for a file that cannot be converted.
   * @throws {Problem} UNAVAILABLE when the child process exited, or did not reply within a minute.
   */
  convert(bytes: Uint8Array): Promise<ConvertedImage>;
  close(): void;
};

type PendingJob = { resolve(image: ConvertedImage): void; reject(error: Error): void };

const idleMs = 30_000;
/** Longer than the decoder's own limit, because a job may wait behind others. */
const jobTimeoutMs = 60_000;

/** @returns the worker; its child process is started by the first conversion, not here. */
export function openImageWorker(): ImageWorker {
  const pending = new Map<number, PendingJob>();
  let lastJob = 0;
  let current: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  const start = (): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'image-worker-entry.ts'), {
      serialization: 'advanced',
      execArgv: [],
      // Without the store's environment, which holds secrets. glibc has one memory arena per thread by default, and those
      // would keep the memory that libvips has freed.
      env: { MALLOC_ARENA_MAX: '2' },
    });
    child.on('message', (reply: ConversionReply) => {
      const job = pending.get(reply.job);
      pending.delete(reply.job);
      if ('image' in reply) job?.resolve(reply.image);
      else job?.reject(reply.isUnreadable ? new UnreadableImageError(reply.reason) : new Error(reply.reason));
      if (pending.size === 0) idleTimer = setTimeout(end, idleMs).unref();
    });
    const failPending = (cause?: unknown) => {
      if (current !== child) return;
      current = undefined;
      // It is not known which upload broke the process, so none of them is reported as unreadable.
      for (const { reject } of pending.values()) reject(new Problem('UNAVAILABLE', { cause }));
      pending.clear();
    };
    child.on('exit', failPending).on('error', failPending);
    return child;
  };

  const end = () => {
    if (current?.connected) current.disconnect();
    current = undefined;
  };

  return {
    convert(bytes) {
      clearTimeout(idleTimer);
      current ??= start();
      const child = current;
      const job = ++lastJob;
      const deadline = setTimeout(() => child.kill('SIGKILL'), jobTimeoutMs);
      return new Promise<ConvertedImage>((resolve, reject) => {
        pending.set(job, { resolve, reject });
        child.send({ job, bytes } satisfies ConversionJob, (error) => {
          if (error && pending.delete(job)) reject(new Problem('UNAVAILABLE', { cause: error }));
        });
      }).finally(() => clearTimeout(deadline));
    },
    close() {
      clearTimeout(idleTimer);
      end();
    },
  };
}
