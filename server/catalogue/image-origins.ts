import { imageIdIn } from '../../contract/image-address.ts';

/**
 * @param image as `normalizeBookImage` returns it.
 * @param imageOrigins IMAGE_ORIGINS: origins, or `https:` for all of them. A page of the store shows no image from elsewhere.
 * @returns why a new book cannot have the image, as a sentence.
 */
export function reasonAgainstOrigin(image: string, imageOrigins: readonly string[]): string | undefined {
  if (imageOrigins.includes('https:') || imageIdIn(image)) return undefined;
  if (imageOrigins.includes(new URL(image).origin)) return undefined;
  return `Must be an image uploaded to the store, or come from ${imageOrigins.join(' or ')}.`;
}
