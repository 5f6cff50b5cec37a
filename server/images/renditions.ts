import type { ImageWidth } from '../../contract/image-address.ts';

export type Rendition = { width: ImageWidth; bytes: Uint8Array };

/** An image as the store keeps it: WebP, in each of the kept widths. */
export type ConvertedImage = {
  /** Of the widest rendition, in pixels. */
  width: number;
  height: number;
  renditions: Rendition[];
};

/** Bytes that are no image, no image of a kind that the store takes, or one too large to decode. */
export class UnreadableImageError extends Error {
  override name = 'UnreadableImageError';
}
