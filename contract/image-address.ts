/** The widths, in pixels, at which the store keeps each image that it hosts, smallest first. */
export const imageWidths = [240, 480, 960] as const;
export type ImageWidth = (typeof imageWidths)[number];

const ownImage = /^\/images\/([0-9a-f]{32})\.webp$/;

/** The address of an image that the store hosts, at its full width: what a book keeps as its `image`. */
export const imageAddress = (id: string) => `/images/${id}.webp`;

/** The address of the same image at one of the kept widths. */
export const imageAddressAt = (id: string, width: ImageWidth) => `/images/${id}-${width}.webp`;

/** The id in an address made by {@link imageAddress}, or undefined for an image that lives elsewhere. */
export const imageIdIn = (address: string): string | undefined => ownImage.exec(address)?.[1];
