import { imageIdIn } from './image-address.ts';
import { tidyValue } from './pasted-text.ts';

/**
 * A further address behind a separator, or behind the end of a picture's name: what was between them may have been lost. A comma alone, or a
 * blank, may be a part of an address.
 */
const further =
  /[\s,;|](?:https?:)?\/\/|[\s;|]\/images\/|\.(?:avif|gif|jpe?g|png|webp)[^\w/?#&=]*https?:\/\//i;

/**
 * Normalizes the image of a book: an `https:` address, or the address of an image that the store hosts. The store never
 * fetches it; browsers do, so schemes that run code or leak data are rejected.
 * @param storeOrigin an absolute address on this origin counts as the store's own path.
 * @returns the address as it is stored, or undefined when it is rejected.
 */
export function normalizeBookImage(image: string, storeOrigin: string): string | undefined {
  const tidied = tidyValue(image);
  const path = tidied.startsWith(`${storeOrigin}/`) ? tidied.slice(storeOrigin.length) : tidied;
  if (imageIdIn(path)) return path;
  if (!/^https:\/\//i.test(tidied) || further.test(tidied) || !URL.canParse(tidied)) return undefined;
  const { username, password, origin, href } = new URL(tidied);
  // The store's other addresses are no images: each visitor's browser would open one such as the sign-in.
  return username || password || origin === storeOrigin || href.length > 2000 ? undefined : href;
}

/** @returns why {@link normalizeBookImage} rejects a text, as a sentence for the owner. */
export const reasonAgainstBookImage = (image: string): string =>
  further.test(tidyValue(image))
    ? 'These are several addresses: a book has one image.'
    : 'Must be an https: address or an image uploaded to the store.';
