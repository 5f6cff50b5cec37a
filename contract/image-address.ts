/** The addresses of images that the store hosts, and the addresses that a book may have as its image. */

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

/**
 * Normalizes the image of a book: an `https:` address, or the address of an image that the store hosts. The store never
 * fetches it; browsers do, so schemes that run code or leak data are rejected.
 * @param storeOrigin an absolute address on this origin counts as the store's own path.
 * @returns the address as it is stored, or undefined when it is rejected.
 */
export function normalizeBookImage(image: string, storeOrigin: string): string | undefined {
  const trimmed = image.trim();
  const path = trimmed.startsWith(`${storeOrigin}/`) ? trimmed.slice(storeOrigin.length) : trimmed;
  if (imageIdIn(path)) return path;
  if (!/^https:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  const { username, password, origin, href } = new URL(trimmed);
  // The store's other addresses are no images: each visitor's browser would open one such as the sign-in.
  return username || password || origin === storeOrigin || href.length > 2000 ? undefined : href;
}
