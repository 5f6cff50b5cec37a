/** The image that a row of an import names: an address, which is kept, or one of the store's own images. */

import { normalizeBookImage } from '../../../contract/image-address.ts';
import { Problem } from '../../http/problems.ts';
import { checkImageOrigin } from '../image-origins.ts';
import { WrongImage } from './import-books.ts';

export type ImagePolicy = {
  /** The store's own origin: an absolute address on it counts as its path. */
  storeOrigin: string;
  /** Where images may come from besides the store: origins, or `https:`. */
  imageOrigins: readonly string[];
};

/** @returns a function that makes of the image in a row the one of its book, and throws {@link WrongImage}. */
export const keepAddresses =
  ({ storeOrigin, imageOrigins }: ImagePolicy) =>
  (image: string): string => {
    const address = normalizeBookImage(image, storeOrigin);
    if (address === undefined) {
      throw new WrongImage('Must be an https: address or an image uploaded to the store.');
    }
    try {
      checkImageOrigin(address, imageOrigins);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new WrongImage(error.errors?.[0]?.message ?? error.message);
    }
    return address;
  };
