/** The entry point of a child process of image-worker.ts. It exits when its parent does. */

import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { Problem } from '../http/problems.ts';
import type { ImageJob, JobReply } from './image-worker.ts';

// Visitors come before pictures on a busy processor. First, for threads take the priority of the one that starts them.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** What needs sharp. Where it cannot be loaded, each job is told why: a crash would tell standard error alone. */
const loading = Promise.all([import('./resize-upload.ts'), import('./draw-card.ts')]);
loading.catch(() => {});

process.on('message', async (job: ImageJob) => {
  // The parent may have ended meanwhile: the error would be printed otherwise.
  process.send?.(await replyTo(job), undefined, undefined, () => {});
});
// `process.exit` would wait for the threads of the decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function replyTo(job: ImageJob): Promise<JobReply> {
  try {
    await loading;
  } catch (error) {
    // sharp's own message goes on for many lines about how to install it.
    const [reason = ''] = reasonOf(error).split('\n');
    return { reason, problem: { code: 'UNAVAILABLE' } };
  }
  try {
    return { result: await run(job) };
  } catch (error) {
    const { code, detail }: Partial<Problem> = error instanceof Problem ? error : {};
    return { reason: reasonOf(error), ...(code && { problem: { code, ...(detail && { detail }) } }) };
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function run(job: ImageJob) {
  const [{ resizeUpload }, { drawCard, drawCoverOf }] = await loading;
  if (typeof job === 'string') return await resizeUpload(await readFile(job));
  if ('load' in job) return '';
  if ('resize' in job) return await resizeUpload(job.resize);
  return 'card' in job ? await drawCard(job.card) : await drawCoverOf(job.cover);
}
