/**
 * The widths, in pixels, at which the store keeps each image that it hosts, smallest first. A cover is 160 CSS pixels wide,
 * which is 320 on most phones.
 */
export const imageWidths = [240, 320, 480, 960] as const;
export type ImageWidth = (typeof imageWidths)[number];

/** The width of a book's `image`. */
export const fullImageWidth: ImageWidth = 960;
