/** The widths, in pixels, at which the store keeps each image that it hosts, smallest first. */
export const imageWidths = [240, 480, 960] as const;
export type ImageWidth = (typeof imageWidths)[number];
