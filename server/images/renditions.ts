import type { ImageWidth } from '../../contract/image-widths.ts';

/** One width of an image, as WebP. */
type Rendition = { width: ImageWidth; bytes: Uint8Array };

/** An image as the store stores it: one rendition for each of `imageWidths`. */
export type ConvertedImage = {
  /** The size of the widest rendition, in pixels. */
  width: number;
  height: number;
  renditions: Rendition[];
  /** The colour that most of it has, as #rrggbb. */
  colour?: string;
};

/** Thrown for a file that is not an image, has a format that the store does not accept, or is too large to decode. */
export class UnreadableImageError extends Error {
  override name = 'UnreadableImageError';
}
