/** The entry point of a child process of image-worker.ts. It exits when its parent does. */

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { dominantColour } from './dominant-colour.ts';
import type { Card, ImageJob, JobReply } from './image-worker.ts';
import { UnreadableImageError } from './renditions.ts';
import { drawPicture, resizeUpload } from './resize-upload.ts';

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
  if ('svg' in job) return await drawPicture(job.svg);
  return 'colourOf' in job ? await dominantColour(job.colourOf) : await drawCard(job.card);
}

/** @returns the card as JPEG, which every program takes that shows previews of links. */
async function drawCard({ svg, picture, place }: Card): Promise<Uint8Array> {
  const { left, top, width, height } = place;
  const input = picture && (await sharp(picture).resize(width, height, { fit: 'fill' }).png().toBuffer());
  return await sharp(Buffer.from(svg))
    .composite(input ? [{ input, left, top }] : [])
    .flatten()
    .jpeg({ quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true })
    .toBuffer();
}
