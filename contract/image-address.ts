/** The addresses of images that the store hosts. */

import { fullImageWidth, type ImageWidth, imageWidths } from './image-widths.ts';
import { paths } from './paths.ts';

/** The address of an image that the store hosts, at its full width: a book's `image`. */
export const imageAddress = (id: string): string => paths.image(`${id}.webp`);

/** The address of the same image at one of the widths. */
export const imageAddressAt = (id: string, width: ImageWidth): string => paths.image(`${id}-${width}.webp`);

const hostedFile = /^([0-9a-f]{32})(?:-(\d{1,4}))?\.webp$/;

/**
 * Reads the file name of a hosted image, as {@link imageAddress} and {@link imageAddressAt} write it.
 * @returns its id and width; undefined for any other name, and for a width that is not in {@link imageWidths}: the list
 * is closed, so that a client cannot fill caches with invented addresses.
 */
export function parseImageFile(file: string): { id: string; width: ImageWidth } | undefined {
  const [, id, width] = hostedFile.exec(file) ?? [];
  if (id === undefined) return undefined;
  const imageWidth =
    width === undefined ? fullImageWidth : imageWidths.find((candidate) => String(candidate) === width);
  return imageWidth && { id, width: imageWidth };
}

/** @returns the id in an address that {@link imageAddress} wrote; undefined for an image on another host. */
export function imageIdIn(address: string): string | undefined {
  const id = parseImageFile(address.slice(address.lastIndexOf('/') + 1))?.id;
  return id !== undefined && address === imageAddress(id) ? id : undefined;
}
