/** The entry point of a child process of image-worker.ts. It exits when its parent does. */

import { readFile } from 'node:fs/promises';
import { dominantColour } from './dominant-colour.ts';
import { drawCard, drawCoverOf } from './draw-card.ts';
import type { ImageJob, JobReply } from './image-worker.ts';
import { UnreadableImageError } from './renditions.ts';
import { resizeUpload } from './resize-upload.ts';

process.on('message', async (job: ImageJob) => {
  process.send?.(await replyTo(job));
});
// `process.exit` would wait for the threads of the decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function replyTo(job: ImageJob): Promise<JobReply> {
  try {
    return { result: await run(job) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, isUnreadable: error instanceof UnreadableImageError };
  }
}

async function run(job: ImageJob) {
  if (typeof job === 'string') return await resizeUpload(await readFile(job));
  if ('colourOf' in job) return await dominantColour(job.colourOf);
  return 'card' in job ? await drawCard(job.card) : await drawCoverOf(job.cover);
}
