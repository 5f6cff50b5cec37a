import sharp from 'sharp';
import type { Card } from './image-worker.ts';

/** @returns the card as JPEG, which every program takes that shows previews of links. */
export async function drawCard({ svg, picture, place }: Card): Promise<Uint8Array> {
  const { left, top, width, height } = place;
  const input = picture && (await sharp(picture).resize(width, height, { fit: 'fill' }).png().toBuffer());
  return await sharp(Buffer.from(svg))
    .composite(input ? [{ input, left, top }] : [])
    .flatten()
    .jpeg({ quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true })
    .toBuffer();
}
