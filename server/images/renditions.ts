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
