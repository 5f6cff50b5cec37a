/** The widths of images in pixels, smallest first. A cover is 160 CSS pixels wide, which is 320 on most phones. */
export const imageWidths = [240, 320, 480, 960] as const;
export type ImageWidth = (typeof imageWidths)[number];

export const fullImageWidth: ImageWidth = 960;
