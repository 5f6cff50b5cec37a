/** The entry point of the image worker, the child process of image-worker.ts. It exits when its parent does. */

import { convertUpload } from './convert-upload.ts';
import type { ConversionJob, ConversionReply } from './image-worker.ts';
import { UnreadableImageError } from './renditions.ts';

process.on('message', async ({ job, bytes }: ConversionJob) => {
  process.send?.(await convert(job, bytes));
});
process.on('disconnect', () => process.exit(0));

async function convert(job: number, bytes: Uint8Array): Promise<ConversionReply> {
  try {
    return { job, image: await convertUpload(bytes) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { job, reason, isUnreadable: error instanceof UnreadableImageError };
  }
}
