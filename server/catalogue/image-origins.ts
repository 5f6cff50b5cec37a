import { imageIdIn } from '../../contract/image-address.ts';
import { fieldProblem } from '../http/problems.ts';

/**
 * Checks the image of a new book. A page of the store shows no image from elsewhere: its policy forbids it.
 * @param imageOrigins those of IMAGE_ORIGINS, or `https:` for all of them.
 * @throws {Problem} VALIDATION_FAILED, which names the origins.
 */
export function checkImageOrigin(image: string, imageOrigins: readonly string[]): void {
  if (imageOrigins.includes('https:') || imageIdIn(image)) return;
  if (imageOrigins.includes(new URL(image).origin)) return;
  const message = `Must be an image uploaded to the store, or come from ${imageOrigins.join(' or ')}.`;
  throw fieldProblem('image', message);
}
