/**
 * Renders uploads in a process of its own, which is started when it is wanted and ended when it has been idle. A decoder
 * is where hostile bytes are read: what breaks, hangs or bloats there must not take the store with it. Measured with 60
 * covers, rendering in the store's own process left it at 470 MB; so it stays as small as it starts.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Problem } from '../http/problems.ts';
import { type ConvertedImage, UnreadableImageError } from './renditions.ts';

export type ConversionJob = { job: number; bytes: Uint8Array };
export type ConversionReply =
  | { job: number; image: ConvertedImage }
  | { job: number; reason: string; isUnreadable: boolean };

export type ImageWorker = {
  /**
   * @throws {UnreadableImageError} for what is no image that the store can show.
   * @throws {Problem} UNAVAILABLE when the process ended or did not answer in time.
   */
  convert(bytes: Uint8Array): Promise<ConvertedImage>;
  close(): void;
};

type Waiting = { resolve(image: ConvertedImage): void; reject(error: Error): void };

const idleMs = 30_000;
/** Longer than the decoder's own limit, for as many jobs as may wait before one. */
const answerWithinMs = 60_000;

export function openImageWorker(): ImageWorker {
  const waiting = new Map<number, Waiting>();
  let lastJob = 0;
  let current: ChildProcess | undefined;
  let ending: NodeJS.Timeout | undefined;

  const start = (): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'image-worker-entry.ts'), {
      serialization: 'advanced',
      execArgv: [],
      // Nothing of the store's own environment, which holds secrets. glibc's arenas, one a thread, would keep what
      // libvips has given back.
      env: { MALLOC_ARENA_MAX: '2' },
    });
    child.on('message', (answer: ConversionReply) => {
      const job = waiting.get(answer.job);
      waiting.delete(answer.job);
      if ('image' in answer) job?.resolve(answer.image);
      else
        job?.reject(answer.isUnreadable ? new UnreadableImageError(answer.reason) : new Error(answer.reason));
      if (waiting.size === 0) ending = setTimeout(end, idleMs).unref();
    });
    const lose = (cause?: unknown) => {
      if (current !== child) return;
      current = undefined;
      // Which of them it was that broke it cannot be told: none is called unreadable.
      for (const { reject } of waiting.values()) reject(new Problem('UNAVAILABLE', { cause }));
      waiting.clear();
    };
    child.on('exit', lose).on('error', lose);
    return child;
  };

  const end = () => {
    if (current?.connected) current.disconnect();
    current = undefined;
  };

  return {
    convert(bytes) {
      clearTimeout(ending);
      current ??= start();
      const child = current;
      const job = ++lastJob;
      const deadline = setTimeout(() => child.kill('SIGKILL'), answerWithinMs);
      return new Promise<ConvertedImage>((resolve, reject) => {
        waiting.set(job, { resolve, reject });
        child.send({ job, bytes } satisfies ConversionJob, (error) => {
          if (error && waiting.delete(job)) reject(new Problem('UNAVAILABLE', { cause: error }));
        });
      }).finally(() => clearTimeout(deadline));
    },
    close() {
      clearTimeout(ending);
      end();
    },
  };
}
