/** The entry point of a child process of image-worker.ts. It exits when its parent does. */

import { readFile } from 'node:fs/promises';
import type { ConversionReply, ImageSource } from './image-worker.ts';
import { UnreadableImageError } from './renditions.ts';
import { drawPicture, resizeUpload } from './resize-upload.ts';

process.on('message', async (source: ImageSource) => {
  process.send?.(await convert(source));
});
// `process.exit` would wait for the threads of the decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function convert(source: ImageSource): Promise<ConversionReply> {
  try {
    const image = typeof source === 'string' ? resizeUpload(await readFile(source)) : drawPicture(source.svg);
    return { image: await image };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, isUnreadable: error instanceof UnreadableImageError };
  }
}
