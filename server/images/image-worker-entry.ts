/** The entry point of a child process of image-worker.ts. It exits when its parent does. */

import { readFile } from 'node:fs/promises';
import type { ConversionReply } from './image-worker.ts';
import { UnreadableImageError } from './renditions.ts';
import { resizeUpload } from './resize-upload.ts';

process.on('message', async (path: string) => {
  process.send?.(await convert(path));
});
// `process.exit` would wait for the threads of the decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function convert(path: string): Promise<ConversionReply> {
  try {
    return { image: await resizeUpload(await readFile(path)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, isUnreadable: error instanceof UnreadableImageError };
  }
}
