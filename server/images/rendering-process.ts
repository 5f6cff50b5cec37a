/** The process that decodes what was uploaded, see renderer.ts. It ends when its parent does. */

import { UnreadableImageError } from './rendered-image.ts';
import type { RenderingAnswer, RenderingJob } from './renderer.ts';
import { renderUpload } from './rendering.ts';

process.on('message', async ({ job, bytes }: RenderingJob) => {
  process.send?.(await answer(job, bytes));
});
process.on('disconnect', () => process.exit(0));

async function answer(job: number, bytes: Uint8Array): Promise<RenderingAnswer> {
  try {
    return { job, image: await renderUpload(bytes) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { job, reason, isUnreadable: error instanceof UnreadableImageError };
  }
}
