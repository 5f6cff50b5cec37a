/**
 * Renders uploads in a process of its own, which is started when it is wanted and ended when it has been idle. A decoder
 * is where hostile bytes are read: what breaks or bloats there must not take the store with it. Measured with 60 covers,
 * rendering in the store's own process left it at 470 MB; so it stays as small as it starts.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type RenderedImage, UnreadableImageError } from './rendered-image.ts';

export type RenderingJob = { job: number; bytes: Uint8Array };
export type RenderingAnswer =
  | { job: number; image: RenderedImage }
  | { job: number; reason: string; isUnreadable: boolean };

export type Renderer = {
  /** @throws {UnreadableImageError} for what is no image that the store can show. */
  render(bytes: Uint8Array): Promise<RenderedImage>;
  close(): void;
};

type Waiting = { resolve(image: RenderedImage): void; reject(error: Error): void };

const idleMs = 30_000;

export function openRenderer(): Renderer {
  const waiting = new Map<number, Waiting>();
  let lastJob = 0;
  let renderingProcess: ChildProcess | undefined;
  let ending: NodeJS.Timeout | undefined;

  const end = () => {
    renderingProcess?.disconnect();
    renderingProcess = undefined;
  };

  const start = (): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'rendering-process.ts'), {
      serialization: 'advanced',
      execArgv: [],
      // glibc's arenas, one a thread, keep what libvips has given back.
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    });
    child.on('message', (answer: RenderingAnswer) => {
      const job = waiting.get(answer.job);
      waiting.delete(answer.job);
      if ('image' in answer) job?.resolve(answer.image);
      else
        job?.reject(answer.isUnreadable ? new UnreadableImageError(answer.reason) : new Error(answer.reason));
      if (waiting.size === 0) ending = setTimeout(end, idleMs).unref();
    });
    child.on('exit', () => {
      if (renderingProcess !== child) return;
      renderingProcess = undefined;
      for (const { reject } of waiting.values())
        reject(new UnreadableImageError('the decoder gave up on it'));
      waiting.clear();
    });
    return child;
  };

  return {
    render(bytes) {
      clearTimeout(ending);
      renderingProcess ??= start();
      const job = ++lastJob;
      return new Promise((resolve, reject) => {
        waiting.set(job, { resolve, reject });
        renderingProcess?.send({ job, bytes } satisfies RenderingJob);
      });
    },
    close() {
      clearTimeout(ending);
      if (renderingProcess?.connected) end();
    },
  };
}
