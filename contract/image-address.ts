import { fullImageWidth, type ImageWidth, imageWidths } from './image-widths.ts';
import { paths } from './paths.ts';

/** A book's `image`: that of the store, at its full width. */
export const imageAddress = (id: string): string => paths.image(`${id}.webp`);

export const imageAddressAt = (id: string, width: ImageWidth): string => paths.image(`${id}-${width}.webp`);

const hostedFile = /^([0-9a-f]{32})(?:-(\d{1,4}))?\.webp$/;

/** @returns undefined for a width that is not in the list: a client cannot fill caches with invented addresses. */
export function parseImageFile(file: string): { id: string; width: ImageWidth } | undefined {
  const [, id, width] = hostedFile.exec(file) ?? [];
  if (id === undefined) return undefined;
  const imageWidth =
    width === undefined ? fullImageWidth : imageWidths.find((candidate) => String(candidate) === width);
  return imageWidth && { id, width: imageWidth };
}

/** @returns undefined for an image on another host. */
export function imageIdIn(address: string): string | undefined {
  const id = parseImageFile(address.slice(address.lastIndexOf('/') + 1))?.id;
  return id !== undefined && address === imageAddress(id) ? id : undefined;
}
